{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-route :package-id="$id">Content until the script has loaded</x-routeslip.wf-route> --}}
<wf-route {{ $attributes->only(['id', 'class', 'slot', 'office', 'for', 'office-name', 'sub-type', 'sub-type-name', 'form-id', 'package-id', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-route>
