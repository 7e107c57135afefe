// The blocks in the editor. class-blocks.php registers them and passes `routeslipEditor`: elements.json, the forms of the site,
// and every text in the language of the user.
;(function () {
  const { blocks, blockEditor, components, data, element } = window.wp
  const { elements, example, forms, helps, kinds, labels, texts } = window.routeslipEditor
  const { InspectorControls, useBlockProps, useInnerBlocksProps } = blockEditor
  const { PanelBody, SelectControl, TextControl, TextareaControl, ToggleControl } = components
  const { createElement, Fragment } = element

  /** What the previews show instead of the request of a person. */
  const exampleSettings = {
    endpoint: example,
    'form-id': '6025',
    'package-id': '42',
    value: '00000000-0000-4000-8000-000000000000',
    'time-zone': 'America/Chicago',
  }

  /** Settings that most pages leave to the settings of the site. */
  const rare = [
    'time-zone',
    'sign-in-url',
    'sign-url',
    'edit-url',
    'history',
    'future',
    'metadata',
    'grantees',
  ]

  for (const [tag, { isContainer }] of Object.entries(elements)) {
    const edit = tag === 'wf-form' ? editForm : isContainer ? editContainer : editElement
    blocks.registerBlockType(`routeslip/${tag}`, {
      edit: (props) => createElement(edit, { ...props, tag }),
      save: () => (isContainer ? createElement(blockEditor.InnerBlocks.Content) : null),
    })
  }
  blocks.registerBlockType('routeslip/field', { edit: editField, save: () => null })

  /** An element with example data. It cannot be used, so a click selects the block. */
  function editElement({ tag, attributes, setAttributes }) {
    const shown = exampleAttributes(tag, attributes.settings)
    return createElement(
      'div',
      useBlockProps({ className: 'routeslip-preview' }),
      createElement(
        InspectorControls,
        null,
        settingsPanels(tag, attributes, setAttributes),
        createElement(
          PanelBody,
          { title: texts.fallback, initialOpen: false },
          createElement(TextControl, {
            label: texts.fallback,
            help: texts.fallbackHelp,
            value: attributes.fallback,
            onChange: (fallback) => setAttributes({ fallback }),
          }),
        ),
      ),
      createElement('p', { className: 'routeslip-example' }, texts.example),
      // Some attributes apply only when the element is created.
      createElement('div', { inert: '' }, createElement(tag, { ...shown, key: JSON.stringify(shown) })),
    )
  }

  /** A context: blocks inside it share its settings. */
  function editContainer({ tag, attributes, setAttributes }) {
    const inner = useInnerBlocksProps(useBlockProps({ className: 'routeslip-container' }))
    return createElement(
      Fragment,
      null,
      createElement(InspectorControls, null, settingsPanels(tag, attributes, setAttributes)),
      createElement('div', inner),
    )
  }

  function editForm({ tag, attributes, setAttributes, clientId }) {
    const inner = useInnerBlocksProps(
      { className: 'routeslip-form' },
      { template: [['routeslip/field', { label: '', required: true }]] },
    )
    const names = data.useSelect(
      (select) => fieldsIn(select(blockEditor.store).getBlocks(clientId)),
      [clientId],
    )
    const button = (text) => createElement('span', { className: 'wp-element-button' }, text)
    const text = (name) =>
      createElement(TextControl, {
        label: texts[name],
        placeholder: texts[name.replace('Label', '')],
        value: attributes[name] ?? '',
        onChange: (value) => setAttributes({ [name]: value || undefined }),
      })
    return createElement(
      'div',
      useBlockProps({ className: 'routeslip-container' }),
      createElement(
        InspectorControls,
        null,
        createElement(
          PanelBody,
          { title: texts.fields },
          names.length === 0
            ? createElement('p', null, texts.noFields)
            : createElement('p', null, texts.fieldsHelp),
          names.map((name) =>
            createElement(SelectControl, {
              key: name,
              label: name,
              value: attributes.kinds[name] ?? '',
              options: [{ value: '', label: texts.fromType }, ...choicesOfKinds()],
              onChange: (kind) => setAttributes({ kinds: withValue(attributes.kinds, name, kind) }),
            }),
          ),
        ),
        createElement(
          PanelBody,
          { title: texts.buttons, initialOpen: false },
          text('saveLabel'),
          text('submitLabel'),
        ),
        settingsPanels(tag, attributes, setAttributes),
      ),
      createElement('div', inner),
      createElement(
        'p',
        { className: 'routeslip-buttons' },
        button(attributes.saveLabel || texts.save),
        ' ',
        button(attributes.submitLabel || texts.submit),
      ),
    )
  }

  function editField({ attributes, setAttributes }) {
    const { label, name, kind, hint, required, multiline, hidden, options } = attributes
    const set = (name) => (value) => setAttributes({ [name]: value })
    const choices = options.split('\n').filter((line) => line.trim())
    const isOffice = ['org', 'department', 'sub_department'].includes(kind)
    const control =
      choices.length > 0 && !isOffice
        ? createElement('select', { disabled: true }, createElement('option', null, choices[0]))
        : createElement(multiline && !isOffice ? 'textarea' : 'input', { disabled: true, readOnly: true })
    const text = (name, Control = TextControl, help = undefined) =>
      createElement(Control, { label: texts[name], help, value: attributes[name], onChange: set(name) })
    const flag = (name) =>
      createElement(ToggleControl, { label: texts[name], checked: attributes[name], onChange: set(name) })
    return createElement(
      'div',
      useBlockProps({ className: 'routeslip-field' }),
      createElement(
        InspectorControls,
        null,
        createElement(
          PanelBody,
          { title: texts.field },
          text('label'),
          text('name', TextControl, texts.nameHelp),
          createElement(SelectControl, {
            label: texts.kind,
            value: kind,
            options: choicesOfKinds(),
            onChange: set('kind'),
          }),
          flag('required'),
          text('hint'),
          text('options', TextareaControl, texts.optionsHelp),
          flag('multiline'),
          flag('hidden'),
        ),
      ),
      createElement(
        'label',
        null,
        label ? (required ? label : texts.optional.replace('%s', label)) : texts.noLabel,
      ),
      hint && createElement('p', { className: 'routeslip-hint' }, hint),
      hidden || kind === 'no_answer'
        ? createElement('p', { className: 'routeslip-hint' }, `${name} · ${texts.hidden}`)
        : control,
    )
  }

  /** A control for each attribute of an element. */
  function settingsPanels(tag, { settings }, setAttributes) {
    const names = Object.keys(elements[tag].attributes)
    const common = names.filter((name) => !rare.includes(name)).sort((a, b) => rank(a) - rank(b))
    const controls = (list) =>
      list.map((name) =>
        settingControl(tag, name, elements[tag].attributes[name], settings[name], (value) =>
          setAttributes({ settings: withValue(settings, name, value) }),
        ),
      )
    const more = names.filter((name) => rare.includes(name))
    return createElement(
      Fragment,
      null,
      common.length > 0 && createElement(PanelBody, { title: texts.settings }, controls(common)),
      more.length > 0 && createElement(PanelBody, { title: texts.more, initialOpen: false }, controls(more)),
    )
  }

  function settingControl(tag, name, { type, values }, value, onChange) {
    // An attribute may mean something else in one element.
    const textOf = (table) => table[`${tag} ${name}`] ?? table[name]
    const common = { key: name, label: textOf(labels), onChange }
    const help = textOf(helps)
    if (type === 'boolean') return createElement(ToggleControl, { ...common, help, checked: value === true })
    if (name === 'form-id' && forms.length > 0) {
      const options = [{ value: '', label: texts.fromSettings }, ...forms]
      return createElement(SelectControl, { ...common, value: value ?? '', options })
    }
    if (type === 'choice') {
      const options = [
        { value: '', label: texts.notSet },
        ...values.map((each) => ({ value: each, label: each })),
      ]
      return createElement(SelectControl, { ...common, help, value: value ?? '', options })
    }
    const kind = type === 'number' ? { type: 'number', min: 1 } : {}
    return createElement(TextControl, { ...common, ...kind, help, value: value ?? '' })
  }

  /** Form and package come first. */
  function rank(name) {
    return ['form-id', 'package-id'].indexOf(name) + 1 || 3
  }

  /** Returns an object with a value, or without it if it is empty. */
  function withValue(object, name, value) {
    const { [name]: _, ...others } = { ...object }
    return value === '' || value === false ? others : { ...others, [name]: value }
  }

  function choicesOfKinds() {
    return Object.entries(kinds).map(([value, label]) => ({ value, label }))
  }

  /** Returns the attributes of a preview. React passes an empty text on to the element, and leaves out `undefined`. */
  function exampleAttributes(tag, settings) {
    const known = elements[tag].attributes
    const chosen = Object.entries(settings).map(([name, value]) => [name, value === true ? '' : value])
    const replaced = Object.entries(exampleSettings).filter(
      ([name]) => name === 'endpoint' || (name in known && (name !== 'value' || tag === 'fs-files')),
    )
    return { ...Object.fromEntries(chosen), ...Object.fromEntries(replaced) }
  }

  /** Returns the names of the controls in the HTML of blocks. */
  function fieldsIn(list) {
    const names = list.flatMap(({ name, attributes, innerBlocks }) => [
      ...(name === 'core/html' ? namesIn(attributes.content ?? '') : []),
      ...fieldsIn(innerBlocks),
    ])
    return [...new Set(names)]
  }

  function namesIn(html) {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    return [...body.querySelectorAll(':is(input, select, textarea, output, wf-office)[name]')]
      .filter(({ type }) => !['submit', 'button', 'reset', 'file'].includes(type))
      .map((control) => control.getAttribute('name'))
      .filter(Boolean)
  }
})()
