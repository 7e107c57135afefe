{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-context :package-id="$id">Content until the script has loaded</x-routeslip.wf-context> --}}
<wf-context {{ $attributes->only(['id', 'class', 'slot', 'endpoint', 'form-id', 'package-id', 'time-zone', 'sign-url', 'edit-url', 'sign-in-url']) }}>{{ $slot }}</wf-context>
