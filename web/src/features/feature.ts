// The interface between the page and one feature. A feature is a folder here, of the same name as the server's; nothing
// outside names it. Its index.ts exports one FeatureUI. What it shows elsewhere is in files whose names say where:
//
//   HomeTop, HomeLink, HomeChoice             on the home page: above the games, below them, among the choices of a game
//   TopBar                                    above every page
//   Profile                                   a section of one's profile
//   RoomPart, RoomSide, RoomButton,           in the waiting room: below the seats, beside them, beside "Leave",
//   RoomSetting, RoomSeat                     among the settings, at a seat
//   TableTool, TableMenu, TableAction,        at a table: beside the question, in the menu, at its end,
//   TableNotice                               above the table
//   AfterButton, AfterPart, AfterNote,        after a game: among the first buttons, below them, in small print,
//   AfterLink                                 among the last buttons
//   session.svelte.ts, play.svelte.ts         what it hears from the server at a table, and does there
//   panel.ts                                  a panel beside the table
//   texts/<language>.json                     its texts

import type { Game, Table } from '../api/protocol'
import type { Page } from '../state/router.svelte'

export interface FeatureUI {
  /** Where several features have a part, that of the lowest number comes first. */
  order: number
  pages?: readonly Page[]
  /** Features whose components it uses. */
  depends?: readonly string[]
  /** The server has it always: it is not in its list of features. */
  isAlwaysOn?: boolean
  /** The address of a lesson in a game; null: there is none. */
  lesson?: (game: Game) => string | null
  /** The address that is offered first after a game: others play the same deal. Null: of no interest for this one. */
  afterGame?: (table: Table) => string | null
}
