import type { Talk } from './suite.ts'

/** Two talks of each line: a title, and another one with its words the other way round. */
const subjects = [
  ...['Testing with fixtures', 'Web frameworks compared', 'Threads and locks', 'Type hints in large projects'],
  ...['Packaging for beginners', 'Cloud computing costs', 'A history of compilers', 'Debugging memory leaks'],
  ...['Open source licences', 'Teaching children to code', 'Data pipelines at night', 'Fast search in small archives'],
  ...['Security of web forms', 'Machine learning in hospitals', 'Natural language tools', 'The art of code review'],
  ...[
    '人工智能与未来',
    '前端开发经验',
    '软件测试基础',
    '操作系统原理',
    'クラウド入門',
    'ゲーム開発の現場',
    '画面の設計',
    '情報の歴史',
  ],
  ...[
    '웹 개발의 미래',
    '모바일 앱 만들기',
    '게임 서버 운영',
    '오픈소스 이야기',
    'การเรียนรู้ของเครื่อง',
    'การออกแบบเว็บ',
    'ระบบปฏิบัติการ',
  ],
  ...[
    'Веб-разработка сегодня',
    'История языков программирования',
    'Сети и протоколы',
    'Тесты в облаке',
    'Системный анализ',
  ],
  ...[
    'Ιστορία των υπολογιστών',
    'Ανάπτυξη εφαρμογών',
    'Μηχανική μάθηση',
    'تطوير الويب',
    'الذكاء الاصطناعي',
    'أنظمة التشغيل',
  ],
  ...[
    'פיתוח אתרים',
    'בינה מלאכותית',
    'מערכות הפעלה',
    'Webseiten heute',
    'Maschinelles Lernen',
    'Daten im Netz',
    'Systeme im Wandel',
  ],
  ...[
    'Bulut bilişim',
    'Oyun geliştirme',
    'Yazılım testleri',
    'Le développement durable',
    'Les réseaux neuronaux',
    'Tester sans douleur',
  ],
  ...[
    'Redes y protocolos',
    'Historia del código',
    'Pruebas de carga',
    'Sieci neuronowe',
    'Testowanie w praktyce',
    'Historia komputerów',
  ],
  ...[
    'Spil i browseren',
    'Data i molnet',
    'वेब विकास',
    'कंप्यूटर का इतिहास',
    'Lập trình web',
    'Kiểm thử phần mềm',
    'Redes neurais',
    'Testování her',
  ],
]

const speakers = ['Ana Silva', 'Ben Carter', 'Chen Wei', 'Dora Novak', 'Emil Berg', 'Fatima Zahra', 'Giulia Conti']

/** Records that no native case means, in the same languages. */
export const otherTalks: readonly Talk[] = subjects.flatMap((title, i) => {
  const speaker = speakers[i % speakers.length] ?? ''
  const description = `${subjects[(i + 7) % subjects.length]}. ${subjects[(i + 31) % subjects.length]}.`
  return [
    { title, speakers: [speaker] },
    { title: `${title} (2)`, description },
  ]
})
