import { css, html, LitElement, nothing, type TemplateResult } from 'lit'
import { property, state } from 'lit/decorators.js'
import { controlStyles } from '../src/elements/element/controls.styles.ts'
import { colorPairs } from './color-pairs.ts'

/** The default of each color, from the styles of the elements. */
const defaults = Object.fromEntries(
  [...controlStyles.cssText.matchAll(/var\((--wf-[\w-]+),\s*(light-dark\([^)]*\)|#\w+)/g)].map(
    ([, name = '', color = '']) => [name, color] as const,
  ),
)

/** A custom property that an element documents. */
export interface Token {
  readonly name: string
  readonly description: string
}

/** The values of custom properties, by name. */
type Theme = Readonly<Record<string, string>>

const themes: Readonly<Record<string, Theme>> = {
  Default: {},
  Cardinal: {
    '--wf-accent': '#8c1515',
    '--wf-on-accent': '#ffffff',
    '--wf-radius': '0',
    '--wf-state-background': '#8c1515',
    '--wf-state-color': '#ffffff',
    '--wf-state-line': '#8c1515',
  },
  Forest: {
    '--wf-accent': 'light-dark(#154734, #9fd8bb)',
    '--wf-on-accent': 'light-dark(#ffffff, #0c2018)',
    '--wf-success': 'light-dark(#154734, #9fd8bb)',
    '--wf-radius': '1em',
  },
}

/**
 * Sets custom properties on its content, and shows the CSS that sets them in a page.
 *
 * @element theme-editor
 */
export class ThemeEditor extends LitElement {
  static override styles = css`
    :host {
      display: grid;
      grid-template-columns: minmax(0, 24rem) minmax(0, 1fr);
      gap: 2rem;
      align-items: start;
    }

    @media (width < 60rem) {
      :host {
        grid-template-columns: minmax(0, 1fr);
      }
    }

    form,
    .preview {
      display: grid;
      gap: 1rem;
    }

    .row {
      display: grid;
      grid-template-columns: 2.5rem minmax(0, 1fr) auto;
      gap: 0.25rem 0.5rem;
      align-items: center;
    }

    label,
    small {
      grid-column: 1 / -1;
    }

    label,
    pre {
      font-family: ui-monospace, monospace;
      font-size: 0.875rem;
    }

    small {
      font-size: 0.8125rem;
    }

    input,
    select,
    button {
      box-sizing: border-box;
      min-block-size: 2.25rem;
      font: inherit;
      color: inherit;
    }

    input[type='color'] {
      inline-size: 2.5rem;
      padding: 0.125rem;
    }

    .unset {
      opacity: 0.3;
    }

    input:not([type]) {
      grid-column: span 2;
      inline-size: 100%;
    }

    input[type='color'] + input:not([type]) {
      grid-column: span 1;
    }

    .weak {
      margin: 0;
      padding-inline-start: 1.25rem;
      color: light-dark(#a61b29, #ff9da3);
      font-weight: 600;
    }

    pre {
      margin: 0 0 0.5rem;
      padding: 1rem;
      border: 1px solid;
      overflow-x: auto;
    }
  `

  /** The custom properties that can be set. */
  @property({ attribute: false }) tokens: readonly Token[] = []

  @state() private _theme: Theme = {}
  @state() private _isCopied = false
  /** The pairs of colors whose contrast is too low, as sentences. */
  @state() private _weak: readonly string[] = []

  /** The CSS rule for the style sheet of a page. */
  get css(): string {
    const lines = Object.entries(this._theme).map(([name, value]) => `  ${name}: ${value};`)
    return lines.length > 0 ? `:root {\n${lines.join('\n')}\n}` : '/* Default theme */'
  }

  protected override updated(): void {
    for (const { name } of this.tokens) this.style.setProperty(name, this._theme[name] ?? '')
    const weak = this.#weakPairs()
    if (weak.join() !== this._weak.join()) this._weak = weak
  }

  protected override render(): TemplateResult {
    return html`
      <form @submit=${(event: Event) => event.preventDefault()}>
        <div>
          <label for="theme">Start with</label>
          <select id="theme" @change=${(event: Event) => this.#onTheme(event)}>
            ${Object.keys(themes).map((name) => html`<option>${name}</option>`)}
          </select>
        </div>
        ${this.tokens.map((token) => this.#renderToken(token))}
        <div role="status">
          <ul class="weak" aria-label="Contrast" ?hidden=${this._weak.length === 0}>
            ${this._weak.map((text) => html`<li>${text}</li>`)}
          </ul>
        </div>
        <div>
          <pre tabindex="0" aria-label="CSS"><code>${this.css}</code></pre>
          <button type="button" @click=${() => void this.#onCopy()}>Copy CSS</button>
          <span role="status">${this._isCopied ? 'Copied' : nothing}</span>
        </div>
      </form>
      <div class="preview"><slot></slot></div>
    `
  }

  #renderToken({ name, description }: Token) {
    const value = this._theme[name] ?? ''
    const onInput = ({ target }: Event) => this.#set(name, (target as HTMLInputElement).value)
    return html`
      <div class="row">
        <label for=${name}>${name}</label>
        ${
          name === '--wf-radius'
            ? nothing
            : html`<input
                type="color"
                class=${value ? nothing : 'unset'}
                aria-label=${`Pick ${name}`}
                .value=${/^#[\da-f]{6}$/i.test(value) ? value : '#808080'}
                @input=${onInput}
              />`
        }
        <input
          id=${name}
          aria-describedby=${`about-${name}`}
          .value=${value}
          placeholder="default"
          @input=${onInput}
        />
        <button
          type="button"
          ?disabled=${!value}
          aria-label=${`Reset ${name}`}
          @click=${() => this.#set(name, '')}
        >
          ×
        </button>
        <small id=${`about-${name}`}>${description}</small>
      </div>
    `
  }

  #weakPairs(): readonly string[] {
    return (['light', 'dark'] as const).flatMap((scheme) =>
      colorPairs.flatMap(([front, back, least]) => {
        const [one, other] = [front, back].map((name) => this.#luminance(name, scheme)) as [number, number]
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
        // Rounded down: 4.499 is less than 4.5.
        const shown = Math.floor(contrast * 10) / 10
        return contrast < least
          ? [`${front} on ${back} has a contrast of ${shown}:1 in ${scheme}. It needs at least ${least}:1.`]
          : []
      }),
    )
  }

  /** The relative luminance of a token's color (WCAG 2.2). A text that is no color counts as unset. */
  #luminance(name: string, scheme: 'light' | 'dark'): number {
    const value = this._theme[name] ?? ''
    const probe = document.createElement('span')
    probe.style.colorScheme = scheme
    probe.style.color = CSS.supports('color', value) ? value : (defaults[name] ?? '')
    this.renderRoot.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  #set(name: string, value: string): void {
    const others = Object.entries(this._theme).filter(([other]) => other !== name)
    this._theme = Object.fromEntries(value ? [...others, [name, value]] : others)
    this._isCopied = false
  }

  #onTheme({ target }: Event): void {
    this._theme = themes[(target as HTMLSelectElement).value] ?? {}
    this._isCopied = false
  }

  async #onCopy(): Promise<void> {
    await navigator.clipboard.writeText(this.css)
    this._isCopied = true
  }
}

customElements.define('theme-editor', ThemeEditor)

declare global {
  interface HTMLElementTagNameMap {
    'theme-editor': ThemeEditor
  }
}
