import type { Person } from '../../contract/schemas/person.ts'

type PersonRow = readonly [
  displayName: string,
  loginid: string,
  title: string | null,
  hrdeptdesc: string | null,
  special?: Partial<Person>,
]

/** Fields of a person who is restricted in the directory. */
const restrictedFields: Partial<Person> = {
  directoryRestricted: true,
  email: null,
  campusPostalAddress: null,
  officePhone: null,
}

const inactiveFields: Partial<Person> = { activeUser: false, personType: 'FORMER_EMPLOYEE' }

const colleges: Readonly<Record<string, string>> = {
  Languages: 'Faculty of Humanities',
  'Civil Engineering': 'School of Engineering',
  'School of Engineering': 'School of Engineering',
  Neurology: 'School of Medicine',
}

/** Names with accents, in many scripts and both directions, single and very long names, and three kinds of apostrophes. */
const personRows: readonly PersonRow[] = [
  ['Zoë Ångström', 'zangstrom', 'Professor', 'Languages'],
  ['Łukasz Wiśniewski', 'lwisniewski', 'Head of Administration', 'Languages'],
  ['Ğülşen Öztürk-Çelik', 'goztuerk', 'Lecturer', 'Languages', { personType: 'FACULTY' }],
  ['José María Núñez de la Peña y Álvarez', 'jnunez', 'Professor', 'Civil Engineering'],
  ['Siobhán O’Súilleabháin', 'sosuilleabhain', 'Librarian', 'University Library', restrictedFields],
  ["Mary-Jane O'Connor", 'moconnor', 'Accountant', 'Finance'],
  ['Анна Сергеевна Кузнецова', 'akuznetsova', 'Personnel Officer', 'Human Resources'],
  ['Ђорђе Јовановић', 'djovanovic', 'Head of Department', 'Languages', { personType: 'FACULTY' }],
  ['Αικατερίνη Παπαδοπούλου', 'apapadopoulou', 'Budget Officer', 'Languages'],
  ['محمد بن عبد الله الأنصاري', 'malansari', 'Dean of Faculty', 'Provost’s Office'],
  ['فاطمه حسینی', 'fhosseini', 'Doctoral Student', 'Neurology', { personType: 'STUDENT' }],
  ['שרה בן־דוד', 'sbendavid', 'Chair', 'Neurology', { personType: 'FACULTY' }],
  ['王小明', 'xwang', 'Project Manager', 'Civil Engineering'],
  ['歐陽菲菲', 'fouyang', 'Chair', 'Civil Engineering', { personType: 'FACULTY' }],
  ['佐藤 花子', 'hsato', 'Recruiter', 'Human Resources'],
  ['たかはし りょう', 'rtakahashi', 'Dean', 'School of Engineering', { personType: 'FACULTY' }],
  ['김민준', 'mkim', 'Recruiter', 'Human Resources'],
  ['प्रिया शर्मा', 'psharma', 'Auditor', 'Finance', restrictedFields],
  ['ज्योति', 'jyoti', 'Student Assistant', 'Languages', { personType: 'STUDENT' }],
  ['สมชาย ศรีสุวรรณ', 'ssrisuwan', 'Technician', 'Civil Engineering'],
  ['கமலா சுப்பிரமணியன்', 'ksubramanian', 'Payroll Officer', 'Finance'],
  ['አበበ ቢቂላ ወልደማርያም', 'abikila', 'Payroll Clerk', 'Finance'],
  ['Nguyễn Thị Minh Khai', 'tnguyen', 'Room Manager', 'Facilities'],
  ['Đặng Văn Lâm', 'vdang', 'Room Manager', 'Facilities', inactiveFields],
  [
    'Maximiliane Theodora Wilhelmine Friederike Charlotte von und zu Hohenstein-Wartenberg-Altenburg zu Rheinfelden',
    'mhohenstein',
    'Officer for Occupational Safety, Fire Protection and Preparedness, Northern and Western Campus',
    'Facilities',
  ],
  [
    'Wickramasinghe Arachchige Tharindu Prabhashwara Bandaranayake Kankanamalage',
    'tbandaranayake',
    'Sponsored Research Administrator',
    'Research Office',
  ],
  ['Suharti', 'suharti', 'Vice Chair', 'Civil Engineering', { personType: 'FACULTY' }],
  ['Anke van ’t Hoff', 'avanthoff', 'Group Leader', 'Languages'],
  ['Ñusta Quispe Mamani', 'nquispe', 'Provost', 'Provost’s Office', { personType: 'FACULTY' }],
  ['Kealiʻi Kaʻahumanu', 'kkaahumanu', 'Insurance Officer', 'Finance'],
  ['Հայկ Պետրոսյան', 'hpetrosyan', 'Keeper of Equipment', 'Facilities'],
  ['ნინო ბერიძე', 'nberidze', 'Postdoctoral Researcher', 'Neurology', { personType: 'AFFILIATE' }],
  ['আরিফ হোসেন', 'ahossain', 'Postdoctoral Researcher', 'Civil Engineering', { personType: 'AFFILIATE' }],
  ['ਗੁਰਪ੍ਰੀਤ ਕੌਰ', 'gkaur', 'Visiting Scholar', 'Languages', { personType: 'VISITOR' }],
  ['Þórdís Guðmundsdóttir', 'tgudmundsdottir', 'Professor Emerita', 'Languages', { personType: 'EMERITUS' }],
  ['Wu', 'wu', 'Student', null, { personType: 'STUDENT', ...restrictedFields }],
  ['Jean-Luc Faßbender-L’Écuyer', 'jfassbender', 'Coordinator', 'Research Office'],
  ['Иван', 'ivan', null, null, { ...inactiveFields, collegeName: null, officePhone: null }],
  ['Chloé D’Arcy-Ndiaye', 'cdarcy', 'Student Representative', 'Languages', { personType: 'STUDENT' }],
  ['Tomáš Dvořák', 'tdvorak', 'Forms Administrator', 'Information Technology'],
]

/** Returns the university id of the person in row `number`, counted from 1. */
export function campusUnivid(number: number): string {
  return String(20_000_000 + number)
}

/** The forty people that the scenario `campus` adds to `small`. */
export const campusPeople: readonly Person[] = personRows.map(
  ([displayName, loginid, title, hrdeptdesc, special], index) => {
    const univid = campusUnivid(index + 1)
    return {
      id: 601 + index,
      displayName,
      hrdeptdesc,
      collegeName: (hrdeptdesc && colleges[hrdeptdesc]) ?? 'Central Administration',
      personType: 'EMPLOYEE',
      title,
      univid,
      email: `${loginid}@northfield.example`,
      campusPostalAddress: `Northfield Campus, Box ${100 + index}`,
      officePhone: `555-01${String(index).padStart(2, '0')}`,
      naturalKey: univid,
      type: 'person',
      loginid,
      jobCode: title && `J${1000 + index}`,
      directoryRestricted: false,
      activeUser: true,
      ...special,
    }
  },
)
