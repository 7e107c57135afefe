import { html, nothing, type TemplateResult } from 'lit'
import type { Share } from '../../contract/schemas/shares.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatDay } from '../text/format.ts'
import { type Grantee, granteeName } from '../fs-files/grantees.ts'
import type { SharesContent } from './share-page.ts'

export interface ShareListContext {
  readonly messages: Texts['shares']
  readonly language: string | undefined
  readonly grantees: readonly Grantee[]
  /** Called when people want to end a share; `undefined` if they may not. */
  readonly onRevoke: ((share: Share) => void) | undefined
  readonly onPage: (page: number) => void
}

/** Returns the name of an application for people. */
export function applicationOf({ granteeClientId }: Share, { grantees, messages }: ShareListContext): string {
  return granteeName(grantees, granteeClientId) ?? messages.otherApplication
}

/** Returns the name of a shared file for people. */
export function fileOf({ fileAssetUuid }: Share, names: SharesContent['names'], t: Texts['shares']): string {
  return names.get(fileAssetUuid ?? '') ?? t.unknownFile
}

/** Renders one page of shares: those of all files apart, because nobody can end them here. */
export function renderShares(content: SharesContent, context: ShareListContext): TemplateResult {
  const { messages: t } = context
  return html`
    ${content.ofAll.length > 0 ? renderOfAll(content.ofAll, context) : nothing}
    ${
      content.single.length > 0
        ? html`<ul part="shares" aria-label=${t.label}>
            ${content.single.map((share) => renderShare(share, content, context))}
          </ul>`
        : content.ofAll.length > 0
          ? nothing
          : html`<p part="empty">${t.empty}</p>`
    }
    ${renderPages(content, context)}
  `
}

function renderOfAll(shares: readonly Share[], context: ShareListContext): TemplateResult {
  const { messages: t } = context
  return html`
    <div part="all-files">
      <strong>${t.allFiles}</strong>
      <ul aria-label=${t.allFiles}>
        ${shares.map(
          (share) => html`
            <li>
              <bdi>${applicationOf(share, context)}</bdi>
              <span class="detail">${renderSince(share, context)}</span>
              ${renderSupport(share, undefined, context)}
            </li>
          `,
        )}
      </ul>
      <p class="detail">${t.allFilesHint}</p>
    </div>
  `
}

function renderShare(share: Share, { names }: SharesContent, context: ShareListContext): TemplateResult {
  const { messages: t, onRevoke } = context
  const application = applicationOf(share, context)
  const file = fileOf(share, names, t)
  return html`
    <li part="share">
      <div class="facts">
        <div><bdi class="name" tabindex="-1">${file}</bdi></div>
        <div class="detail">${t.sharedWith(application)} ${renderSince(share, context)}</div>
        ${renderSupport(share, names, context)}
      </div>
      ${
        onRevoke
          ? html`<div class="actions">
              <button
                type="button"
                class="quiet revoke"
                aria-label=${t.revokeNamed(file, application)}
                @click=${() => onRevoke(share)}
              >
                ${t.revoke}
              </button>
            </div>`
          : nothing
      }
    </li>
  `
}

/** Renders since when a file is shared, after the name of the application. */
function renderSince({ createdAt }: Share, { messages: t, language }: ShareListContext) {
  return createdAt === null ? nothing : html`· <span>${t.since(formatDay(createdAt, language))}</span>`
}

/** Renders the ids of what has no name, for support. */
function renderSupport(
  { fileAssetUuid, granteeClientId }: Share,
  names: SharesContent['names'] | undefined,
  { messages: t, grantees }: ShareListContext,
) {
  const ids = [
    ...(names && fileAssetUuid !== null && !names.has(fileAssetUuid) ? [fileAssetUuid] : []),
    ...(granteeName(grantees, granteeClientId) === undefined ? [granteeClientId] : []),
  ]
  if (ids.length === 0) return nothing
  return html`<details part="support">
    <summary>${t.support}</summary>
    ${ids.map((id) => html`<p class="detail">${t.reference} <code part="reference" dir="ltr">${id}</code></p>`)}
  </details>`
}

function renderPages(
  { page, ofAll, single, leftOut }: SharesContent,
  { messages: t, onPage }: ShareListContext,
) {
  const { totalElements, number, size } = page
  const shown = ofAll.length + single.length + leftOut
  const from = (number ?? 0) * (size ?? shown)
  const total = totalElements ?? from + shown
  if (total <= shown) return nothing
  const button = (text: string, target: number, isPossible: boolean) => html`
    <button
      type="button"
      class="quiet"
      aria-disabled=${!isPossible}
      @click=${() => isPossible && onPage(target)}
    >
      ${text}
    </button>
  `
  return html`
    <nav part="pages" aria-label=${t.pages}>
      <span class="detail">${t.range(from + 1, from + shown, total)}</span>
      ${button(t.previous, (number ?? 0) - 1, from > 0)}
      ${button(t.next, (number ?? 0) + 1, from + shown < total)}
    </nav>
  `
}
