{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-overrides :package-id="$id">Content until the script has loaded</x-routeslip.wf-overrides> --}}
<wf-overrides {{ $attributes->only(['id', 'class', 'slot', 'form-id', 'package-id', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-overrides>
