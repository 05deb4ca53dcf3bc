import { mount } from 'svelte'
import App from './App.svelte'
import { fetchAhead } from './lib/pages'
import { router } from './lib/router.svelte'
import { showTheme } from './lib/settings.svelte'
import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'

showTheme()
fetchAhead(router.route)
mount(App, { target: document.getElementById('app')! })
