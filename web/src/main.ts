import { mount } from 'svelte'
import App from './App.svelte'
import { preloadPage, router } from './state/router.svelte'
import { showTheme } from './state/settings.svelte'
import './ui/styles/font.css'
import './ui/styles/tokens.css'
import './ui/styles/base.css'

showTheme()
preloadPage(router.route)
mount(App, { target: document.getElementById('app')! })
