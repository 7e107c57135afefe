<?php
// Makes an installed site the first one of a network. Arguments: folder of the site, address.

[, $folder, $url] = $argv;
define('WP_INSTALLING_NETWORK', true);
$_SERVER['HTTP_HOST'] = parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
$_SERVER['REQUEST_METHOD'] = 'GET';
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

// As wp-admin/network.php does.
foreach ($wpdb->tables('ms_global') as $table => $name) {
    $wpdb->$table = $name;
}
install_network();
$result = populate_network(1, $_SERVER['HTTP_HOST'], 'admin@northfield.example', 'Northfield University', '/', false);
if (is_wp_error($result) && $result->get_error_code() !== 'no_wildcard_dns') {
    exit("Fatal error: {$result->get_error_message()}");
}
