<?php

declare(strict_types=1);

$package = filter_input(INPUT_GET, 'package', FILTER_VALIDATE_INT, ['options' => ['min_range' => 1]]);
if (!$package) {
    http_response_code(404);
    exit('There is no such request.');
}
?>
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Travel request <?= $package ?></title>
    <script type="module" src="/routeslip.js"></script>
  </head>
  <body>
    <h1>Travel request <?= $package ?></h1>
    <wf-context endpoint="/api/wf" form-id="6025" package-id="<?= $package ?>" time-zone="America/Chicago">
      <wf-package-status><p>Ask the Travel Office where this request stands.</p></wf-package-status>
      <wf-history></wf-history>
      <wf-attachments></wf-attachments>
    </wf-context>
    <fs-uploader endpoint="/api/wf"></fs-uploader>
  </body>
</html>
