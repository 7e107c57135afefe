import { html, nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import type { Grantee } from '../fs-files/grantees.ts'
import { renderSelect } from './share-form.ts'
import { type FileChoice, type ShareOrder, shareOrders } from './share-page.ts'

/** The choices above the list. */
export interface ShareFilters {
  /** Client id of the application; empty for all. */
  readonly grantee: string
  /** Uuid of the file; empty for all. */
  readonly file: string
  readonly order: ShareOrder
}

/** What `renderShareFilters()` needs. */
interface ShareFiltersInput {
  readonly messages: Texts['shares']
  readonly filters: ShareFilters
  readonly grantees: readonly Grantee[]
  /** The files to choose from. If it is empty, the choice of file is not shown. */
  readonly files: readonly FileChoice[]
  /** Called with what people choose. */
  readonly onChange: (change: Partial<ShareFilters>) => void
}

/** Renders the choices of application, file and order. */
export function renderShareFilters(input: ShareFiltersInput): TemplateResult {
  const { messages: t, filters, grantees, files, onChange } = input
  const { grantee, file, order } = filters
  const change = (name: keyof ShareFilters) => (value: string) => onChange({ [name]: value })
  const applications = grantees.map(({ clientId, name }) => [clientId, name] as const)
  const orders = shareOrders.map((each) => [each, t.orders[each]] as const)
  return html`
    <div part="filters" role="group" aria-label=${t.filters}>
      ${renderSelect('by-grantee', t.application, t.allApplications, applications, false, grantee, change('grantee'))}
      ${
        files.length > 0
          ? renderSelect('by-file', t.file, t.everyFile, files, false, file, change('file'))
          : nothing
      }
      ${renderSelect('order', t.order, '', orders, false, order, change('order'))}
    </div>
  `
}
