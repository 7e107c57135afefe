{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-attachments :package-id="$id">Content until the script has loaded</x-routeslip.wf-attachments> --}}
<wf-attachments {{ $attributes->only(['id', 'class', 'slot', 'require', 'disabled', 'form-id', 'package-id', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-attachments>
