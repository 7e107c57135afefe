<?php
// Installs WordPress with the plugin for the tests. Arguments: folder of the site, address, zip file, settings as JSON.

[, $folder, $url, $zip, $settings] = $argv;
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
$_SERVER['REQUEST_METHOD'] = 'GET';
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/class-pclzip.php';

wp_install('Northfield University', 'admin', 'admin@northfield.example', true, '', 'admin');
update_option('permalink_structure', '/%postname%/');
update_option('timezone_string', 'America/Chicago');
// Avatars come from another site.
update_option('show_avatars', 0);
switch_theme('twentytwentythree');

// With the library that WordPress falls back to, so that the zip file is tested too.
$archive = new PclZip($zip);
$archive->extract(PCLZIP_OPT_PATH, WP_PLUGIN_DIR) || exit($archive->errorInfo(true));
$result = activate_plugin('routeslip/routeslip.php');
if (is_wp_error($result)) {
    exit($result->get_error_message());
}
update_option('routeslip', json_decode($settings, true));

$people = [
    ['amara', 'subscriber', '10000001'],
    ['outsider', 'subscriber', '10000008'],
    ['edith', 'editor', '10000009'],
    ['nobody', 'subscriber', ''],
];
foreach ($people as [$name, $role, $univid]) {
    $id = wp_insert_user(['user_login' => $name, 'user_pass' => $name, 'user_email' => "$name@northfield.example", 'role' => $role]);
    if ($univid !== '') {
        update_user_meta($id, 'univid', $univid);
    }
}
flush_rewrite_rules();
