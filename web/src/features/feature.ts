// The interface between the page and one feature. A feature is a folder here, of the same name as the server's; nothing
// outside names it. Its index.ts exports one FeatureUI. What it shows elsewhere is in files whose names say where:
//
//   HomeTop, HomeLink, HomeChoice         on the home page: above the games, below them or in a strip (see Home), among the choices of a game
//   TopBar                                above every page
//   Profile                               a section of one's profile
//   RoomPart, RoomSide, RoomButton,       in the waiting room: below the seats, beside them, beside "Leave",
//   RoomSetting, RoomSeat                 among the settings, at a seat
//   TableTool, TableNotice, panel.ts      at a table: beside the question, above the board, a panel at its side
//   MenuTop, MenuSetting, MenuAction      in the menu of a table: at its top, among the settings, at its end
//   AfterResult, AfterButton, AfterPart,  after a game: above the buttons, among them, below them,
//   AfterNote, AfterLink                  in small print, among the last links
//   OfflineLink                           where one plays without a connection
//   ReplayTool, ReviewTool, PuzzleTool    beside a replay, beside a review, below the answer to a puzzle
//   session.svelte.ts, play.svelte.ts     what it hears from the server at a table, and does in a game
//   transport.ts                          tables elsewhere than at the server
//   texts/<language>.json                 its texts

import type { Game, Table } from '../api/protocol'
import type { Page } from '../state/router.svelte'

export interface FeatureUI {
  /** Where several features have a part, that of the lowest number comes first. */
  order: number
  pages?: readonly Page[]
  /** Features whose components and texts it uses. */
  depends?: readonly string[]
  /** Also at tables elsewhere than at the server: it asks nothing of them that is its own. */
  everywhere?: boolean
  /** The address of a lesson in a game; null: there is none. */
  lesson?: (game: Game) => string | null
  /** The address that is offered first after a game: others play the same deal. Null: of no interest for this one. */
  afterGame?: (table: Table) => string | null
}
