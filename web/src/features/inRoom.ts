// What features show in the waiting room.

import type { Component } from 'svelte'
import type { Seat, Table } from '../api/protocol'
import type { Ask, PanelContext } from './atTable'
import { inOrder } from './registry.svelte'

/** Changes settings of the table, for the host. */
export type ChangeSettings = (
  what: Partial<Pick<Table, 'options' | 'first_seat' | 'public' | 'seconds_per_move' | 'hints' | 'rated'>> & {
    seats?: number
  },
) => void

type RoomComponent = Component<{ play: PanelContext }>

export const roomParts = inOrder(
  import.meta.glob<RoomComponent>('../features/*/RoomPart.svelte', { eager: true, import: 'default' }),
)
export const roomSides = inOrder(
  import.meta.glob<RoomComponent>('../features/*/RoomSide.svelte', { eager: true, import: 'default' }),
)
export const roomButtons = inOrder(
  import.meta.glob<RoomComponent>('../features/*/RoomButton.svelte', { eager: true, import: 'default' }),
)
export const roomSettings = inOrder(
  import.meta.glob<Component<{ table: Table; ask: Ask; change: ChangeSettings }>>('../features/*/RoomSetting.svelte', {
    eager: true,
    import: 'default',
  }),
)
export const roomSeats = inOrder(
  import.meta.glob<Component<{ seat: Seat }>>('../features/*/RoomSeat.svelte', { eager: true, import: 'default' }),
)
