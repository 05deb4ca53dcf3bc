import { mount } from 'svelte'
import App from './App.svelte'
import { showTheme } from './lib/settings.svelte'
import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'

showTheme()
mount(App, { target: document.getElementById('app')! })
