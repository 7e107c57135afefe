import { crc32, deflateRawSync } from 'node:zlib'

/**
 * Returns a zip file (PKWARE APPNOTE 6.3.10) of the files, by path. It does not depend on where or when it is made: all files
 * have the earliest date of the format.
 */
export function zipOf(files) {
  const local = []
  const central = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const fields = Buffer.alloc(26)
    // Version 2.0, UTF-8 names, deflate, 1980-01-01.
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x0800, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt16LE(0x0021, 8)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    local.push(Buffer.from('PK\x03\x04'), fields, name, packed)

    const entry = Buffer.alloc(14)
    // Mode 0644 of Unix.
    entry.writeUInt32LE(0o100644 * 0x10000, 6)
    entry.writeUInt32LE(offset, 10)
    // The version that made it: 2.0 on Unix.
    central.push(Buffer.from('PK\x01\x02\x14\x03'), fields, entry, name)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}
