import type { FeaturePanel } from '../atTable'
import NotebookPanel from './NotebookPanel.svelte'

export default {
  label: 'panel.notebook',
  sign: 'book',
  forSpectators: false,
  Panel: NotebookPanel,
} satisfies FeaturePanel
