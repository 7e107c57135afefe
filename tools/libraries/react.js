// A form whose state decides what its controls show, with a field that depends on another one.
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'

const app = document.getElementById('app')

function Concert() {
  const [concert, setConcert] = useState('')
  const [budget, setBudget] = useState('')
  const [piano, setPiano] = useState(false)
  const [tuner, setTuner] = useState('')
  const text = (name, label, value, set) =>
    h(
      'p',
      { key: name },
      h('label', { htmlFor: name }, label),
      h('input', {
        id: name,
        name,
        value,
        onChange: ({ target }) => set(target.value),
        ...(name === 'budget' && { 'data-kind': 'currency' }),
      }),
    )
  return h(
    'wf-form',
    { endpoint: '/api/wf', 'form-id': app.dataset.form, 'package-id': app.dataset.package },
    h(
      'form',
      { action: '/concerts', method: 'post' },
      text('concert', 'Name of the concert', concert, setConcert),
      text('budget', 'Budget', budget, setBudget),
      h(
        'p',
        null,
        h(
          'label',
          null,
          h('input', {
            id: 'piano',
            type: 'checkbox',
            name: 'piano',
            value: 'yes',
            checked: piano,
            onChange: ({ target }) => setPiano(target.checked),
          }),
          ' A piano is needed',
        ),
      ),
      piano && text('tuner', 'Who tunes it?', tuner, setTuner),
      h('button', { id: 'save', value: 'PRE_ROUTING' }, 'Save'),
    ),
  )
}

createRoot(app).render(h(Concert))
