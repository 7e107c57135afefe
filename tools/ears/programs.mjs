import { enginePrograms } from '../../scripts/setup.mjs'

/** The programs with which a browser talks to assistive technology. */
export const assistivePrograms = {
  chromium: {
    title: 'Chromium with its window',
    variable: 'CHROMIUM',
    // The headless shell does not use the accessibility bus.
    aptPackage: 'chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    paths: [],
  },
  firefox: enginePrograms.firefox,
  display: enginePrograms.display,
  bus: {
    title: 'D-Bus',
    variable: 'DBUS_DAEMON',
    aptPackage: 'dbus',
    names: ['dbus-daemon'],
    paths: [],
  },
  launcher: {
    title: 'the accessibility bus AT-SPI',
    variable: 'AT_SPI_LAUNCHER',
    aptPackage: 'at-spi2-core',
    names: [],
    paths: ['/usr/libexec/at-spi-bus-launcher', '/usr/lib/at-spi2-core/at-spi-bus-launcher'],
  },
  reader: {
    title: 'the screen reader Orca',
    variable: 'ORCA',
    aptPackage: 'orca',
    names: ['orca'],
    paths: [],
  },
  bindings: {
    title: 'its description for Python',
    variable: 'AT_SPI_TYPELIB',
    aptPackage: 'gir1.2-atspi-2.0 python3-gi',
    names: [],
    paths: ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/girepository-1.0/Atspi-2.0.typelib`),
  },
}
