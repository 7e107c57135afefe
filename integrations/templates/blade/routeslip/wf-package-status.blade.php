{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-package-status :package-id="$id">Content until the script has loaded</x-routeslip.wf-package-status> --}}
<wf-package-status {{ $attributes->only(['id', 'class', 'slot', 'sign-url', 'edit-url', 'form-id', 'package-id', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-package-status>
