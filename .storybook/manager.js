// The frame around the documentation.
import { addons } from 'storybook/manager-api'
import { theme } from './theme.js'

addons.setConfig({ theme })
