{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.fs-uploader :package-id="$id">Content until the script has loaded</x-routeslip.fs-uploader> --}}
<fs-uploader {{ $attributes->only(['id', 'class', 'slot', 'max-size', 'max-files', 'accept', 'folder', 'expires-in', 'metadata', 'filename', 'value', 'name', 'required', 'disabled', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</fs-uploader>
