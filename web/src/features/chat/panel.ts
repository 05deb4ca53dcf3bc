import type { FeaturePanel } from '../atTable'
import Chat from './session.svelte'
import TalkPanel from './TalkPanel.svelte'

export default {
  label: 'panel.talk',
  sign: 'speech',
  forSpectators: true,
  Panel: TalkPanel,
  isUnread: (session) => session.part(Chat).unread > 0,
} satisfies FeaturePanel
