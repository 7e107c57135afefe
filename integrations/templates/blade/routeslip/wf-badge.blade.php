{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-badge :package-id="$id">Content until the script has loaded</x-routeslip.wf-badge> --}}
<wf-badge {{ $attributes->only(['id', 'class', 'slot', 'endpoint', 'form-id', 'package-id']) }}>{{ $slot }}</wf-badge>
