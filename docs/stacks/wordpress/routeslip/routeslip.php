<?php

/**
 * Plugin Name: Routeslip
 * Description: Shows the state of a form submission and uploads files: [routeslip show="history" form="6025" package="42"].
 * Version: 1.0.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * License: MIT
 *
 * Put routeslip.js and the folder locales from `npm run build` beside this file, and RouteslipForwarder.php from
 * docs/stacks/php. In wp-config.php:
 *
 *   define( 'ROUTESLIP_PROXY', 'http://127.0.0.1:8090' );
 *   define( 'ROUTESLIP_FRONT_SECRET', '…' ); // the proxy's ROUTESLIP_IDENTITY_SECRET
 *
 * Leave both out if the web server forwards /api/wf/ to the proxy. It then requests the user from /signed-in.
 */

declare(strict_types=1);

namespace Routeslip;

if (!defined('ABSPATH')) {
    exit;
}

const VERSION = '1.0.0';

add_action('init', function (): void {
    add_shortcode('routeslip', __NAMESPACE__ . '\\shortcode');
    handle_request();
});

/** Adds the tag, and the script on pages that use it. */
function shortcode(array|string $given): string
{
    $given = shortcode_atts(['show' => 'package-status', 'form' => '', 'package' => '', 'fallback' => ''], (array) $given);
    $tag = $given['show'] === 'uploader' ? 'fs-uploader' : "wf-{$given['show']}";
    if (!in_array($tag, ['wf-package-status', 'wf-history', 'wf-comments', 'wf-attachments', 'fs-uploader'], true)) {
        return '';
    }
    $attributes = ['endpoint' => '/api/wf', 'form-id' => $given['form'], 'package-id' => $given['package']];
    // Some sites have only an offset, which is not a time zone.
    if (in_array(wp_timezone_string(), timezone_identifiers_list(), true)) {
        $attributes['time-zone'] = wp_timezone_string();
    }
    $text = '';
    foreach (array_filter($attributes) as $name => $value) {
        $text .= sprintf(' %s="%s"', $name, esc_attr($value));
    }
    wp_enqueue_script_module('routeslip', plugins_url('routeslip.js', __FILE__), [], VERSION);
    $fallback = $given['fallback'] === '' ? '' : '<p>' . esc_html($given['fallback']) . '</p>';
    return "<$tag$text>$fallback</$tag>";
}

/** Handles requests below /api/wf/ and to /signed-in. WordPress handles all others. */
function handle_request(): void
{
    // WordPress adds backslashes to all of these.
    $server = wp_unslash($_SERVER);
    $path = explode('?', (string) ($server['REQUEST_URI'] ?? ''))[0];
    if ($path === '/signed-in') {
        nocache_headers();
        $univid = univid();
        status_header($univid === null ? 401 : 204);
        if ($univid !== null) {
            header("x-univid: $univid");
        }
        exit;
    }
    if (str_starts_with($path, '/api/wf/') && defined('ROUTESLIP_FRONT_SECRET')) {
        require_once __DIR__ . '/RouteslipForwarder.php';
        $forwarder = new \RouteslipForwarder(ROUTESLIP_PROXY, ROUTESLIP_FRONT_SECRET);
        $forwarder->forward(univid(), $server, wp_unslash($_POST), $_FILES)->send();
        exit;
    }
}

/**
 * University ID of the signed-in user. Your single sign-on writes it into this field. Users must not be able to change
 * the field in their profile.
 */
function univid(): ?string
{
    $univid = is_user_logged_in() ? get_user_meta(get_current_user_id(), 'univid', true) : '';
    return is_string($univid) && preg_match('/^\d{1,12}$/D', $univid) ? $univid : null;
}
