import { loading } from '../../locales/en-loading.ts'
import type { Settings } from '../configuration/settings.ts'
import { joinTexts } from '../text/join-texts.ts'
import { messagesFor } from '../text/messages.ts'

/** Returns an error message for the page author, or an empty string. `missing` lists attributes. */
export function configurationProblem(
  host: HTMLElement,
  settings: Settings,
  missing: readonly string[],
): string {
  const origin = settings.foreignOrigin
  const texts = () => messagesFor(host, 'common', loading)
  if (origin) return texts().foreignEndpoint(host.localName, origin)
  const hasClient = settings.get('client') ?? settings.get('endpoint')
  const names = [...(hasClient ? [] : ['endpoint']), ...missing]
  return names.length > 0 ? texts().notConfigured(host.localName, joinTexts(host, names)) : ''
}
