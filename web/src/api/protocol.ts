// Generated from src/tavolino/server/protocol by `python -m tavolino.server.protocol.typescript`. Do not edit.

export type Level = "random" | "easy" | "medium" | "hard" | "expert"

export type Phase = "waiting" | "sealing" | "playing" | "ended"

export type SeatKind = "empty" | "person" | "bot"

export type HowEnded = "played" | "resigned" | "agreed" | "abandoned" | "closed"

export type Reaction = "hello" | "well-played" | "thanks" | "oops" | "wow" | "hmm" | "hurry" | "laugh"

export type Difficulty = "easy" | "medium" | "hard"

export type Theme = "guess" | "fight" | "keep" | "reserve" | "recruit" | "take" | "finish" | "deny" | "steal"

export type Perspective = "open" | "spectator" | number

export type OptionValue = boolean | number | null

export type Command = Hello | Move | Join | Leave | Sit | Kick | SetBot | Settings | AddSalt | Start | Ready | ChooseAvatar | SetWebhook | Invite | Decline | Resign | AgreeEnd | StandIn | Back | AskRematch | Mute | SetPlan | AskOffers | TakeVacation | Say | React | MakeRemark | AskNotebook | AskHint | AskTakeBack | AnswerTakeBack | Ping | Watch | Lead | TakeLead | GiveLead | TryAction | PlayOut | DropVariation | WriteNote | DropNote

export type News = TableNews | Play | Accepted | Refused | Talk | Notebook | Hint | Offers | Closing | Announcement | Pong | Room | Led

export const MAX_TEXT = 200

export interface Outcome {
  reason: string
  winners: number[]
}

/** The question that is asked: a key of the catalogue; its parameters stand beside the key. */
export interface Prompt {
  key: string
  [key: string]: unknown
}

/** An action: its label is the text `action.VERB` of the game's catalogue with these parameters. */
export interface Description {
  params: Record<string, unknown>
  verb: string
}

/** What a seat may know. These keys are in every game's view; each game adds its own (see CONTRACT). */
export interface View {
  described: Record<string, Description>
  game: string
  legal: string[]
  outcome: Outcome | null
  over: boolean
  players: number
  prompt: Prompt | null
  seat: number | null
  step: string
  to_act: number | null
  [key: string]: unknown
}

/** One line of a viewer's log; each kind has its own keys. */
export interface Line {
  kind: string
  [key: string]: unknown
}

/** Why something was refused. `code` is for programs, `key` and `params` for people, `rule` a rule id. */
export interface Problem {
  code: string
  key: string
  params: Record<string, unknown>
  rule: string | null
}

/** How strong somebody is in a game; a medium bot has 1500. Until it is sure, show the range. */
export interface Rating {
  value: number
  low: number
  high: number
  sure: boolean
  games: number
}

/** A seat. What has a default is a feature's part. */
export interface Seat {
  seat: number
  kind: SeatKind
  name: string | null
  level: Level | null
  bot: number | null
  avatar: number | null
  host: boolean
  ready: boolean
  online: boolean
  away: boolean
  stand_in: boolean
  resigned: boolean
  salted: boolean
  wants_end: boolean
  against_end: boolean
  votes_stand_in: number[]
  vacation: number | null
  rating: Rating | null
}

/** All your games that are being played with a day or more for a move. */
export interface Vacations {
  games: number
  away: number
  until: number | null
  days: number
}

export interface Ending {
  how: HowEnded
  winners: number[]
  reason: string | null
}

/** The deal's seal. Before the deal: the commitment. Sealed: the salts too. After the end: the secret. */
export interface Fairness {
  deal: string
  commitment: string
  salts: (string | null)[] | null
  secret: string | null
  seed: string | null
}

/** Somebody asks to take a decision back. */
export interface TakeBack {
  seat: number
  agreed: number[]
}

/** The finished game that a table plays on from, and after how many of its decisions. */
export interface Origin {
  table: string
  turn: number
}

export interface Clock {
  seat: number
  ms_left: number
}

/** What a player has decided in advance. Nobody else can see it. */
export interface Plan {
  moves: string[]
  orders: string[]
  forced: boolean
  dropped: boolean
}

/** Whether a game's rules are compiled on this server, and how far that is. */
export interface Readiness {
  ready: boolean
  done: number
  of: number
  hints: boolean
}

export interface You {
  seat: number | null
  host: boolean
  muted: number[]
  muted_watching: boolean
  plan: Plan | null
  vacation_days: number
}

/** All that is open about a table; the cards are in a `Play`. What has a default is a feature's part. */
export interface Table {
  id: string
  game: string
  rules: string
  phase: Phase
  seats: Seat[]
  options: Record<string, boolean | number | null>
  first_seat: number | null
  public: boolean
  seconds_per_move: number | null
  hints: boolean
  rated: boolean
  starts_itself: boolean
  watching: string[]
  webhook: boolean
  invited: string[]
  fairness: Fairness
  ending: Ending | null
  rematch: string | null
  daily: string | null
  series: string | null
  readiness: Readiness
  opened: number
  take_back: TakeBack | null
  taken_back: number
  origin: Origin | null
  you: You
  features: Record<string, unknown>
}

/** A true sentence from open information: a key of the game's catalogue, with parameters. */
export interface Remark {
  key: string
  params: Record<string, unknown>
}

/** One thing said. `seat` null: a spectator. Exactly one of text, reaction and remark is there. */
export interface Said {
  seat: number | null
  name: string
  text: string | null
  reaction: Reaction | null
  remark: Remark | null
  level: Level | null
}

/** A position of a finished game, or of a variation of it, and the viewer whose view is shown. */
export interface RoomPosition {
  variation: string | null
  move: number
  perspective: "open" | "spectator" | number
  playing: boolean
}

/** Come into the room of a finished game, or leave it. The first one with a name leads. */
export interface Watch {
  type: "watch"
  coming?: boolean
  ref?: string | null
}

/** The leader shows another position. */
export interface Lead {
  type: "lead"
  at: RoomPosition
  ref?: string | null
}

/** Lead, when the leader has gone. */
export interface TakeLead {
  type: "take-lead"
  ref?: string | null
}

/** Somebody else in the room leads from now on. */
export interface GiveLead {
  type: "give-lead"
  to: string
  ref?: string | null
}

/** The leader plays another action at a position, for the seat that has to decide: starts or extends a variation. */
export interface TryAction {
  type: "try"
  variation: string | null
  move: number
  action: string
  ref?: string | null
}

/** Bots decide for all seats from a position on, so many times or until the game is over. */
export interface PlayOut {
  type: "play-out"
  variation: string | null
  move: number
  decisions: number
  ref?: string | null
}

export interface DropVariation {
  type: "drop-variation"
  variation: string
  ref?: string | null
}

/** A note at a position, for all who watch. */
export interface WriteNote {
  type: "note"
  variation: string | null
  move: number
  text: string
  ref?: string | null
}

/** Remove a note: your own, or any as the leader. */
export interface DropNote {
  type: "drop-note"
  note: string
  ref?: string | null
}

export interface RoomPerson {
  id: string
  name: string
}

/** Decisions other than those that were made, from a position of the game or of another variation on. */
export interface RoomVariation {
  id: string
  origin: string | null
  turn: number
  length: number
  over: boolean
}

export interface RoomNote {
  id: string
  variation: string | null
  move: number
  name: string
  text: string
  yours: boolean
}

/** All of the room, whenever somebody came or went, or something of it changed but the position. */
export interface Room {
  type: "room"
  people: RoomPerson[]
  nameless: number
  you: string | null
  leader: string | null
  leader_is_here: boolean
  at: RoomPosition
  variations: RoomVariation[]
  notes: RoomNote[]
}

/** The leader shows this position now. */
export interface Led {
  type: "led"
  at: RoomPosition
}

/** First message on a socket: how many lines of the log the client has (0: none). Answered with the table. */
export interface Hello {
  type: "hello"
  lines?: number
  ref?: string | null
}

/** `turn` is the number of decisions made so far: the number this move answers. */
export interface Move {
  type: "move"
  turn: number
  action: string
  ref?: string | null
}

export interface Join {
  type: "join"
  seat?: number | null
  ref?: string | null
}

/** Before the start: the seat is free again. While playing: you are away until you come back. */
export interface Leave {
  type: "leave"
  ref?: string | null
}

/** Change to another seat before the start; with somebody there, the two swap (only the host may). */
export interface Sit {
  type: "sit"
  seat: number
  from_seat?: number | null
  ref?: string | null
}

export interface Kick {
  type: "kick"
  seat: number
  ref?: string | null
}

/** The host puts a bot into an empty seat, changes its level, or takes it away (null). */
export interface SetBot {
  type: "set-bot"
  seat: number
  level: Level | null
  ref?: string | null
}

/** The host changes the table before the start. All of it, each time. */
export interface Settings {
  type: "settings"
  seats: number
  options: Record<string, boolean | number | null>
  first_seat: number | null
  public: boolean
  seconds_per_move: number | null
  hints: boolean
  rated?: boolean
  ref?: string | null
}

/** 32 random bytes in hex, made in the browser once it has stored the commitment. */
export interface AddSalt {
  type: "salt"
  salt: string
  ref?: string | null
}

export interface Start {
  type: "start"
  fill?: Level | null
  ref?: string | null
}

/** Before the start: you are ready, or no longer. It starts nothing; the host sees it. */
export interface Ready {
  type: "ready"
  ready: boolean
  ref?: string | null
}

/** Before the deal: the picture at your seat. */
export interface ChooseAvatar {
  type: "avatar"
  avatar: number | null
  ref?: string | null
}

/** The host has a chat room told whose turn it is: Discord, Slack, or any address that the operator allows. */
export interface SetWebhook {
  type: "webhook"
  url: string | null
  ref?: string | null
}

/**
 * Before the start: invite the person on a seat of another table at which you sat, too.
 *
 * They see it on their list of tables, and join or decline.
 */
export interface Invite {
  type: "invite"
  from_table: string
  seat: number
  ref?: string | null
}

/** You were invited, and do not come. */
export interface Decline {
  type: "decline"
  ref?: string | null
}

/** While playing: what you decide in advance; all of it, each time. See `Plan`. */
export interface SetPlan {
  type: "plan"
  moves: string[]
  orders: string[]
  forced: boolean
  ref?: string | null
}

/** What you could plan for your next turn, after `moves` that you plan already. */
export interface AskOffers {
  type: "offers"
  moves?: string[]
  ref?: string | null
}

/** Your clock stands for so many days, where a move may take a day or more; 0: you are back. */
export interface TakeVacation {
  type: "vacation"
  days: number
  ref?: string | null
}

export interface Resign {
  type: "resign"
  ref?: string | null
}

export interface AgreeEnd {
  type: "agree-end"
  agree: boolean
  ref?: string | null
}

/** Agree (or no longer) that a bot stands in for a player who has left. */
export interface StandIn {
  type: "stand-in"
  seat: number
  agree: boolean
  ref?: string | null
}

/** Take your seat back from the bot that stands in. A hello from its player does so too. */
export interface Back {
  type: "back"
  ref?: string | null
}

/**
 * Take your last decision back, and all that came after it: against bots at once, else if the others agree.
 *
 * `turn` is the present one, as in a move.
 */
export interface AskTakeBack {
  type: "take-back"
  turn: number
  ref?: string | null
}

/** Agree or not to somebody's take-back. The person who asked withdraws the request with false. */
export interface AnswerTakeBack {
  type: "answer-take-back"
  agree: boolean
  ref?: string | null
}

export interface AskRematch {
  type: "rematch"
  ref?: string | null
}

/** Hear a seat no more, or again; for yourself only. */
export interface Mute {
  type: "mute"
  seat: number | null
  muted: boolean
  ref?: string | null
}

export interface Say {
  type: "say"
  text: string
  ref?: string | null
}

export interface React {
  type: "react"
  reaction: Reaction
  ref?: string | null
}

/** One of the keys in `Play.remarks`; the server fills in what is true at that moment. */
export interface MakeRemark {
  type: "remark"
  key: string
  ref?: string | null
}

export interface AskNotebook {
  type: "notebook"
  ref?: string | null
}

export interface AskHint {
  type: "hint"
  ref?: string | null
}

export interface Ping {
  type: "ping"
  ref?: string | null
}

/** The table's open state, whole, whenever something of it changed. The first answer to a hello. */
export interface TableNews {
  type: "table"
  table: Table
}

/**
 * The cards as this viewer may see them, after every decision and after a hello.
 *
 * `view` has no `log`: `lines` are the new lines of it, the first of them being number `from_line`.
 */
export interface Play {
  type: "play"
  turn: number
  view: View
  from_line: number
  lines: Line[]
  clock: Clock | null
  remarks: string[]
  take_back: boolean
  since: number
}

/** The table in words, for programs that read: what happened since your last decision, and your numbered choices. */
export interface PlayText {
  type: "play-text"
  turn: number
  legal: string[]
  over: boolean
  text: string
}

/** The command with this ref was carried out and is durable. */
export interface Accepted {
  type: "accepted"
  ref: string | null
  turn: number | null
  table: string | null
}

/** The command with this ref changed nothing. */
export interface Refused {
  type: "refused"
  ref: string | null
  problem: Problem
}

/** What was said, newest last: all that is kept after a hello, then one by one. */
export interface Talk {
  type: "talk"
  said: Said[]
}

export interface Notebook {
  type: "notebook"
  ref: string | null
  turn: number
  notebook: Record<string, unknown>
}

/**
 * A fact about an action: the key of its sentence in the game's texts, its parameters, the rule behind it, and the
 * cards, seats, colours and locations that it speaks of.
 */
export interface Reason {
  key: string
  params: Record<string, unknown>
  rule: string | null
  about: Record<string, unknown[]>
}

export interface Hint {
  type: "hint"
  ref: string | null
  turn: number
  action: string
  chance: number | null
  reasons: Reason[]
}

/** What the seat could plan: found from its own knowledge, not from the cards as they are. */
export interface Offers {
  type: "offers"
  ref: string | null
  turn: number
  actions: string[]
  described: Record<string, Description>
}

/** The server ends this connection; `code` says why, and whether to come back at once. */
export interface Closing {
  type: "closing"
  code: string
  come_back: boolean
}

/** The announcement of the operator; an empty text removes it. */
export interface Announcement {
  type: "announcement"
  number: number
  text: string
}

export interface Pong {
  type: "pong"
  ref: string | null
}

/** Who you are. The first time this makes an identity; `program` asks for a bearer token, not a cookie. */
export interface NewName {
  name: string
  program?: boolean
  only_new?: boolean
}

export interface Me {
  name: string
  token: string | null
  new_name: string | null
}

/** A browser or program that is signed in as you. */
export interface Device {
  id: string
  made: number
  used: number
  this: boolean
}

/** Opens once, on another device, as you: `{public url}{path}`. The code follows the #: no log sees it. */
export interface ReturnLink {
  path: string
  code: string
  expires_in: number
}

export interface ReturnCode {
  code: string
}

/** Notifications when it is your turn and you are not there. `key` is for the browser's subscription. */
export interface Notifications {
  key: string
  browsers: number
  quiet_from: number | null
  quiet_to: number | null
}

/** A browser's push subscription: where to send, and the keys to encrypt with, in URL-safe base64. */
export interface AddBrowser {
  endpoint: string
  p256dh: string
  auth: string
  language: string
}

/** When you do not want to be notified, in your own time; null: never. */
export interface QuietHours {
  quiet_from: number | null
  quiet_to: number | null
  utc_offset: number
}

export interface Option {
  name: string
  kind: "bool" | "int"
  default: boolean | number | null
  low: number | null
  high: number | null
}

export interface Game {
  game: string
  players: number[]
  rules: string
  options: Option[]
  seat_option: string | null
  levels: Level[]
  net: boolean
  talk: "remarks" | "text"
  tutorial: boolean
  usual_seats: number
  simple_options: Record<string, boolean | number | null>
  minutes: number[]
  rule_prefix: string
  orders: string[]
  plans: boolean
  readiness: Readiness
}

/** A table in a list. */
export interface TableCard {
  id: string
  game: string
  phase: Phase
  seats: Seat[]
  seconds_per_move: number | null
  your_seat: number | null
  your_turn: boolean
  ending: Ending | null
  changed: number
}

export interface MyTables {
  playing: TableCard[]
  invitations: TableCard[]
  finished: TableCard[]
}

/** The addresses of this server for other devices. Local addresses are shown only within the local network. */
export interface Addresses {
  urls: string[]
  only_here: boolean
}

export interface OpenTable {
  game: string
  bots?: Record<string, Level>
  seats: number
  options?: Record<string, boolean | number | null>
  first_seat?: number | null
  public?: boolean
  seconds_per_move?: number | null
  hints?: boolean
  rated?: boolean
}

export interface PlayNow {
  game: string
  level?: Level
  seats?: number | null
  first?: boolean | null
  rated?: boolean
  options?: Record<string, boolean | number | null>
}

/** Play on from a position of a finished game, in a seat of it, against bots. */
export interface PlayOn {
  seat: number
  turn: number
  level?: Level
}

/** A moment of a finished game or a lesson: the view after `turn` decisions. */
export interface Frame {
  turn: number
  seat: number | null
  action: string | null
  view: View
  lines: Line[]
}

export interface Frames {
  game: string
  players: number
  perspective: "open" | "spectator" | number
  names: (string | null)[]
  levels: (Level | null)[]
  bots: (number | null)[]
  ending: Ending | null
  frames: Frame[]
}

/** How far a review is, and all of it once it is there (docs/guides/command-line.md has its keys). */
export interface Review {
  seat: number
  done: number
  total: number
  review: unknown
  shared: boolean
}

/** Whether everybody with the link may see the review of your own seat. */
export interface ShareReview {
  shared: boolean
}

/** A puzzle in a list. */
export interface PuzzleCard {
  id: string
  difficulty: Difficulty
  players: number
  solved: boolean | null
  theme: Theme | null
}

/** A moment of a game as the seat that must decide sees it: what would you do? */
export interface Position {
  id: string
  game: string
  players: number
  seat: number
  view: View
  lines: Line[]
  notebook: Record<string, unknown>
}

/** What you would do. */
export interface Try {
  action: string
}

/** An action, and the chance to win after it, over what the seat could know. */
export interface Worth {
  action: string
  chance: number
  error: number
  estimate: boolean
}

/** What came of a try. `usual` is what was played instead: by a medium bot, or by you in that game. */
export interface Solution {
  solved: boolean
  chosen: string
  best: string
  usual: string
  cost: number
  actions: Worth[]
  reasons: Reason[]
  due: number | null
}

/** A decision of yours that cost clearly, offered again. */
export interface Mistake {
  id: string
  game: string
  turn: number
  cost: number
  due: number
  solved: number
}

export interface Mistakes {
  now: Mistake[]
  later: Mistake[]
}

/** What came of a daily deal. What the decisions gave away is compared, not who won: luck does not count. */
export interface DailyResult {
  counts: boolean
  won: boolean
  given_away: number | null
  done: number
  total: number
  others: number
  worse: number
  median: number | null
}

/** A deal that is over everywhere: anyone who kept the commitment can check it. */
export interface RevealedDeal {
  deal: string
  commitment: string
  secret: string
  table: string | null
  given_away: number | null
  players: number
  median: number | null
}

/** One deal of a day, the same for everybody. You have one try. */
export interface DailyDeal {
  game: string
  day: string
  ends: number
  seats: number
  commitment: string
  tomorrow: string
  table: string | null
  result: DailyResult | null
  yesterday: RevealedDeal | null
  streak: number
}

/** What the learner, or a scripted opponent, does after the frame of the same position. */
export interface Lesson {
  seat: number
  action: string
  text: string | null
  after: string | null
  wrong: string | null
}

/** An arranged game told from the learner's seat: frame 0, then lesson 0, then frame 1, ... */
export interface Chapter {
  players: number
  seat: number
  frames: Frame[]
  lessons: Lesson[]
  end: string | null
}

/** A lesson: one arranged game, or several one after the other (for instance one for each side). */
export interface Tutorial {
  game: string
  chapters: Chapter[]
}

/** A feature from a separate package: the page loads the ES module at this address of the same server. */
export interface OutsideFeature {
  name: string
  module: string
}

/** What is switched on at this server. */
export interface ServerFeatures {
  features: string[]
  outside_features: OutsideFeature[]
}

/** A language, and how much of the games' and the server's texts it has. */
export interface LanguageState {
  code: string
  percent: number
}

export interface Rule {
  id: string
  text: string
  ruling: boolean
}

export interface RulesSection {
  title: string
  rules: Rule[]
}

export interface RulesPage {
  game: string
  language: string
  sections: RulesSection[]
}

/** A finished game of yours. */
export interface PlayedGame {
  table: string
  game: string
  ended: number
  players: number
  people: number
  against: (string | null)[]
  how: HowEnded
  won: boolean
  given_away: number | null
  decisions: number | null
}

/** Your figures in one game. */
export interface GameFigures {
  game: string
  games: number
  decided: number
  wins: number
  low: number
  high: number
  cost: number | null
  costs: number[]
  streak: number
  longest: number
}

/** Your rating after a rated game. */
export interface RatedGame {
  table: string
  ended: number
  rating: Rating
}

/** Your rating before a rated game and after it. */
export interface RatingChange {
  before: Rating
  after: Rating
}

export interface RatedResult {
  change: RatingChange | null
}

export interface RatingHistory {
  game: string
  rating: Rating
  games: RatedGame[]
}

export interface Profile {
  figures: GameFigures[]
  games: PlayedGame[]
  ratings: RatingHistory[]
}

export interface NewCircle {
  name: string
}

/** A circle in a list. */
export interface CircleCard {
  id: string
  name: string
  members: number
}

export interface CircleMember {
  id: string
  name: string
  owner: boolean
  you: boolean
}

export interface CircleStanding {
  member: string
  games: number
  wins: number
}

/** The table of results in one game: who has won most often comes first. */
export interface CircleGame {
  game: string
  standings: CircleStanding[]
}

export interface CirclePlayer {
  member: string
  won: boolean
}

/** A finished game that only members have played. */
export interface CircleResult {
  game: string
  ended: number
  players: CirclePlayer[]
  table: string | null
}

/** A circle. Non-members see only its name and the number of members. */
export interface Circle {
  id: string
  name: string
  joined: boolean
  count: number
  members: CircleMember[]
  games: CircleGame[]
  results: CircleResult[]
}

/** The same deals for all members of a circle, each alone against medium bots. It closes after so many days. */
export interface NewSeries {
  game: string
  deals?: number
  seats?: number | null
  days?: number
}

/** What a member has made of a deal. Shown once you have finished it, too. */
export interface SeriesResult {
  member: string
  counts: boolean
  won: boolean
  given_away: number | null
  table: string | null
}

export interface SeriesDeal {
  deal: string
  commitment: string
  secret: string | null
  table: string | null
  ended: boolean
  results: SeriesResult[]
}

/** Over the deals that you have finished: who has given away least on average comes first. */
export interface SeriesStanding {
  member: string
  finished: number
  counted: number
  wins: number
  given_away: number | null
}

/** The same deals for everybody in a circle: luck cancels. */
export interface Series {
  id: string
  game: string
  seats: number
  opened: number
  closes: number
  closed: boolean
  deals: SeriesDeal[]
  standings: SeriesStanding[]
}
