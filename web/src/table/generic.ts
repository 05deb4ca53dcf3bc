// The drawing of a game that has none of its own: values of the view as lists, legal actions as buttons.
// A game can give names to the fields of its view with texts `field.<key>`, and to their values with `value.<value>`.

import { defineGameUI } from './GameUI'
import GenericNotes from './GenericNotes.svelte'
import GenericOwn from './GenericOwn.svelte'
import GenericTable from './GenericTable.svelte'

export default defineGameUI({ Table: GenericTable, Own: GenericOwn, Notes: GenericNotes })
