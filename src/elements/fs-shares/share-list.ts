import { html, nothing, type TemplateResult } from 'lit'
import type { Share } from '../../contract/schemas/shares.ts'
import type { Texts } from '../../locales/messages.ts'
import { formatDay } from '../text/format.ts'
import { type Grantee, granteeName } from '../fs-files/grantees.ts'
import { renderEmpty } from '../notices/empty.ts'
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
export function applicationOf(
  { granteeClientId }: Pick<Share, 'granteeClientId'>,
  { grantees, messages }: ShareListContext,
): string {
  return granteeName(grantees, granteeClientId) ?? messages.otherApplication
}

/** Returns the name of a shared file for people. */
export function fileOf({ fileAssetUuid }: Share, names: SharesContent['names'], t: Texts['shares']): string {
  return names.get(fileAssetUuid ?? '') ?? t.unknownFile
}

/**
 * Renders one page of shares: those of all files apart, because nobody can end them here, and the others by application, in
 * the order in which the applications first occur.
 */
export function renderShares(content: SharesContent, context: ShareListContext): TemplateResult {
  const { ofAll, single } = content
  return html`
    ${ofAll.length > 0 ? renderOfAll(ofAll, context) : nothing}
    ${[...new Set(single.map(({ granteeClientId }) => granteeClientId))].map((clientId) =>
      renderApplication(
        single.filter(({ granteeClientId }) => granteeClientId === clientId),
        content,
        context,
      ),
    )}
    ${ofAll.length + single.length > 0 ? nothing : renderEmpty(context.messages.empty)}
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
              ${renderSince(share, context)} ${renderSupport(unnamedApplication(share, context), context)}
            </li>
          `,
        )}
      </ul>
      <p class="detail">${t.allFilesHint}</p>
    </div>
  `
}

/** Renders the files that are shared with one application. */
function renderApplication(
  shares: readonly Share[],
  content: SharesContent,
  context: ShareListContext,
): TemplateResult {
  const first = shares[0]!
  const application = applicationOf(first, context)
  return html`
    <div part="application">
      <strong>${application}</strong>
      ${renderSupport(unnamedApplication(first, context), context)}
      <ul part="shares" aria-label=${context.messages.sharedWith(application)}>
        ${shares.map((share) => renderShare(share, content, context))}
      </ul>
    </div>
  `
}

function renderShare(share: Share, { names }: SharesContent, context: ShareListContext): TemplateResult {
  const { messages: t, onRevoke } = context
  const file = fileOf(share, names, t)
  return html`
    <li part="share">
      <div class="facts">
        <bdi>${file}</bdi>
        ${renderSince(share, context)}
        ${names.has(share.fileAssetUuid ?? '') ? nothing : renderSupport(share.fileAssetUuid, context)}
      </div>
      ${
        onRevoke
          ? html`<div class="actions">
              <button
                type="button"
                class="quiet revoke"
                aria-label=${t.revokeNamed(file, applicationOf(share, context))}
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

/** Renders since when something is shared, after its name. */
function renderSince({ createdAt }: Share, { messages: t, language }: ShareListContext) {
  return createdAt === null
    ? nothing
    : html`<span class="detail">· <span>${t.since(formatDay(createdAt, language))}</span></span>`
}

/** Returns the client id of an application that has no name. */
function unnamedApplication({ granteeClientId }: Share, { grantees }: ShareListContext): string | null {
  return granteeName(grantees, granteeClientId) === undefined ? granteeClientId : null
}

/** Renders the id of something that has no name, for support. */
function renderSupport(id: string | null, { messages: t }: ShareListContext) {
  return id === null
    ? nothing
    : html`<details part="support">
        <summary>${t.support}</summary>
        <p class="detail">${t.reference} <code part="reference" dir="ltr">${id}</code></p>
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
