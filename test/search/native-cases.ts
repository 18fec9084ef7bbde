import type { Talk } from './suite.ts'

/** A record as its people write it, and what they type to find it: it must come first. */
interface NativeCase {
  readonly language: string
  readonly talk: Talk
  readonly typed: readonly string[]
}

const titled = (language: string, title: string, ...typed: readonly string[]): NativeCase => ({
  language,
  talk: { title },
  typed,
})
const spoken = (language: string, title: string, speaker: string, ...typed: readonly string[]): NativeCase => ({
  language,
  talk: { title, speakers: [speaker] },
  typed,
})
const described = (language: string, title: string, description: string, ...typed: readonly string[]): NativeCase => ({
  language,
  talk: { title, description },
  typed,
})

export const nativeCases: readonly NativeCase[] = [
  titled(
    'Chinese',
    '分布式数据库的一致性',
    '数据库',
    '分布式',
    '一致性',
    '数据库一致性',
    '分布式数据库',
    '分布式 一致性',
  ),
  titled('Chinese', '使用Python进行机器学习', '机器学习', 'python机器学习', 'Python 机器学习', '机器学习python'),
  titled('Chinese', '深入理解编译器优化', '编译器', '编译器优化', '理解编译', '编译优化'),
  spoken('Chinese', '网络安全实践', '王小明', '王小明', '小明 网络安全', '网络安全'),
  described('Chinese', '开源社区', '如何维护大型开源项目并吸引贡献者。', '开源项目', '贡献者', '吸引贡献者'),
  titled('Chinese', 'ＡＰＩ设计', 'api设计', 'API 设计'),

  titled(
    'Japanese',
    'データベース設計入門',
    'データベース',
    'データベース設計',
    'ﾃﾞｰﾀﾍﾞｰｽ',
    '設計入門',
    'データベースの設計',
  ),
  titled('Japanese', 'サーバーの監視', 'サーバー', 'サーバ', 'サーバー監視', 'サーバの監視'),
  titled('Japanese', 'コンピュータの歴史', 'コンピュータ', 'コンピューター', 'ｺﾝﾋﾟｭｰﾀ'),
  titled('Japanese', 'Pythonで学ぶ機械学習', '機械学習', 'python 機械学習', 'Ｐｙｔｈｏｎ機械学習', '機械学習を学ぶ'),
  titled('Japanese', 'テストを書く技術', 'テスト', 'テスト 技術', 'テストの書き方'),
  spoken('Japanese', '言語処理系', '高橋 花子', '高橋花子', '高橋', '花子'),
  titled('Japanese', 'はじめてのプログラミング', 'プログラミング', 'はじめて', 'プログラミング 初めて'),

  titled('Korean', '데이터 분석 입문', '데이터', '데이터를', '데이터 분석', '데이터분석', '데이터의 분석'),
  titled('Korean', '파이썬으로 배우는 자연어처리', '파이썬', '자연어처리', '자연어 처리', '파이썬을'),
  titled('Korean', '분산시스템의 이해', '분산시스템', '분산 시스템', '분산시스템을'),
  titled('Korean', '커뮤니티를 만드는 방법', '커뮤니티', '커뮤니티는', '방법'),
  spoken('Korean', '보안 이야기', '박지훈', '박지훈', '지훈 보안', '보안'),
  titled('Korean', '프로그래밍 언어 설계', '프로그래밍언어', '프로그래밍', '언어를 설계'),

  titled('Thai', 'การพัฒนาซอฟต์แวร์สำหรับมือใหม่', 'ซอฟต์แวร์', 'พัฒนาซอฟต์แวร์', 'มือใหม่', 'การพัฒนา'),
  titled('Thai', 'ความปลอดภัยของเครือข่าย', 'ความปลอดภัย', 'เครือข่าย', 'ความปลอดภัยเครือข่าย'),
  described('Thai', 'ระบบคลาวด์', 'เรียนรู้การใช้ฐานข้อมูลบนคลาวด์', 'ฐานข้อมูล', 'คลาวด์', 'ฐานข้อมูลคลาวด์'),

  titled('Russian', 'Тестирование распределённых систем', 'тестирования', 'тестированию', 'распределенные системы'),
  titled('Russian', 'Машинное обучение на практике', 'машинного обучения', 'машинному обучению', 'машиное обучение'),
  titled('Russian', 'Как устроены базы данных', 'база данных', 'базу данных', 'базами данных', 'базы даных'),
  spoken('Russian', 'Всё о функциях', 'Пётр Соловьёв', 'петр соловьев', 'Соловьёва', 'соловьеву', 'Соловьев'),
  titled('Russian', 'Разработка мобильных приложений', 'мобильное приложение', 'разработку', 'разработки приложений'),
  titled('Russian', 'Ещё один доклад про память', 'еще доклад', 'памяти', 'докладов про память'),

  titled('Greek', 'Βάσεις δεδομένων για όλους', 'βάση δεδομένων', 'βασεισ δεδομενων', 'ΒΑΣΕΙΣ ΔΕΔΟΜΕΝΩΝ', 'δεδομένα'),
  titled('Greek', 'Ο προγραμματισμός στην πράξη', 'προγραμματισμος', 'προγραμματισμού', 'προγραμματισμό'),
  titled('Greek', 'Ασφάλεια δικτύων', 'ασφαλεια', 'ασφάλειας', 'δίκτυα', 'ασφάλια'),

  titled('Arabic', 'الكتاب المفتوح في البرمجة', 'كتاب', 'برمجة', 'البرمجة', 'كتاب البرمجة'),
  titled('Arabic', 'مقدمة في قواعد البيانات', 'قاعدة بيانات', 'بيانات', 'قواعد بيانات', 'مُقَدِّمَة'),
  titled('Arabic', 'أمن الشبكات', 'امن الشبكات', 'شبكات', 'الشبكة', 'والشبكات'),
  titled('Arabic', 'تعلم الآلة بلغة بايثون', 'تعلم الاله', 'الآلة', 'لغة بايثون', 'بايثون'),

  titled('Hebrew', 'מבוא לשפת התכנות', 'תכנות', 'שפת תכנות', 'שפה', 'התכנות'),
  titled('Hebrew', 'אבטחה ברשתות', 'רשתות', 'אבטחה', 'הרשתות', 'אבטחת רשתות'),
  titled('Hebrew', 'מסד הנתונים שלנו', 'מסד נתונים', 'נתונים', 'בנתונים'),

  titled('German', 'Datenbanksysteme im Vergleich', 'Datenbank', 'Datenbanksystem', 'Datenbanken', 'Datenbank Systeme'),
  titled(
    'German',
    'Agile Softwareentwicklung',
    'Entwicklung',
    'Software-Entwicklung',
    'Software Entwicklung',
    'Softwareentwicklng',
  ),
  titled(
    'German',
    'Die Software-Architektur der Zukunft',
    'Softwarearchitektur',
    'Software Architektur',
    'Architektur',
  ),
  titled('German', 'Sicherheit in der Wolke', 'Sicherheiten', 'Sichereit', 'Wolken'),
  titled(
    'German',
    'Qualitätssicherung für Anfänger',
    'Qualitaetssicherung',
    'Qualitätssicherung',
    'Qualitatssicherung',
    'anfaenger',
  ),
  spoken(
    'German',
    'Grüße aus der Küche',
    'Jörg Müller',
    'Müller',
    'Muller',
    'Mueller',
    'Joerg Mueller',
    'jorg',
    'gruesse',
    'Kuche',
  ),
  titled('German', 'Die Straße zum Erfolg', 'Straße', 'Strasse', 'STRASSE', 'STRAẞE', 'strase'),
  titled('German', 'Arbeitsspeicher verstehen', 'Speicher', 'Arbeits-Speicher', 'Arbeitspeicher'),
  titled('German', 'Häuser aus Papier', 'Haus', 'Häuser', 'haeuser', 'Hauser'),

  titled('Turkish', 'Işık hızında arama', 'ışık', 'isik', 'IŞIK', 'Isik', 'hız', 'hızlı arama'),
  titled(
    'Turkish',
    'İstanbul’da açık kaynak',
    'istanbul',
    'İSTANBUL',
    'ISTANBUL',
    'İstanbulda',
    'açık kaynak',
    'acik kaynak',
  ),
  titled('Turkish', 'Yapay zekâ ile çeviri', 'yapay zeka', 'zekâ', 'ceviri', 'çeviriler'),
  titled('Turkish', 'Veritabanlarının geleceği', 'veritabanı', 'veritabanları', 'veritabani'),

  titled(
    'French',
    "Introduction à l'apprentissage automatique",
    'apprentissage',
    "l'apprentissage",
    'l’apprentissage',
    'aprentissage',
  ),
  titled('French', 'L’éthique des données', 'éthique', 'ethique', 'donnée', "d'éthique", 'donnees'),
  titled('French', 'Un café avec les développeurs', 'café', 'cafe', 'développeur', 'developpeuse', 'cafés'),
  titled('French', 'Aujourd’hui, le cœur du noyau', "aujourd'hui", 'coeur', 'cœur', 'aujourdhui'),
  titled('French', 'Déployer sans crainte', 'deployer', 'déployé'),

  titled('Spanish', 'Programación para niños', 'programacion', 'programar', 'niño', 'ninos', 'programasión'),
  titled('Spanish', 'Cómo escalar aplicaciones web', 'aplicación', 'aplicacion', 'como escalar', 'escalando'),
  titled('Spanish', 'El corazón de la máquina', 'corazon', 'maquina', 'máquinas', 'corazones'),

  titled('Polish', 'Łódź i jej programiści', 'Łódź', 'lodz', 'LODZ', 'Łodzi', 'programista', 'programiście'),
  titled('Polish', 'Bezpieczeństwo aplikacji', 'bezpieczenstwo', 'bezpieczeństwa', 'aplikacje', 'bezpieczeńtswo'),
  titled('Polish', 'Żółwie i języki', 'zolwie', 'żółw', 'język', 'jezyki', 'języków'),

  titled('Danish', 'Smørrebrød og kode', 'smørrebrød', 'smorrebrod', 'smoerrebroed', 'smørebrød'),
  titled('Swedish', 'Så bygger vi Ångström', 'angstrom', 'ångström', 'aangstroem', 'bygga'),

  titled('Hindi', 'हिन्दी में प्रोग्रामिंग', 'हिन्दी', 'हिंदी', 'प्रोग्रामिंग', 'हिन्दी प्रोग्रामिंग'),
  titled('Hindi', 'डेटाबेस की मूल बातें', 'डेटाबेस', 'डाटाबेस', 'मूल बातें', 'बात'),
  titled('Hindi', 'मुक्त सॉफ़्टवेयर का भविष्य', 'सॉफ्टवेयर', 'सॉफ़्टवेयर', 'मुक्त सॉफ्टवेयर'),

  titled('Vietnamese', 'Học máy cho người mới bắt đầu', 'học máy', 'hoc may', 'người mới', 'bat dau'),
  titled('Vietnamese', 'Cơ sở dữ liệu phân tán', 'cơ sở dữ liệu', 'co so du lieu', 'dữ liệu phân tán', 'du lieu'),
  spoken('Vietnamese', 'Trí tuệ nhân tạo', 'Nguyễn Thị Hương', 'Nguyễn Hương', 'nguyen thi huong', 'tri tue nhan tao'),

  titled('Persian', 'برنامه‌نویسی به زبان پایتون', 'برنامه نویسی', 'برنامهنویسی', 'برنامه‌نويسي', 'زبان پایتون'),
  titled('Finnish', 'Ohjelmointi on hauskaa', 'ohjelmointi', 'ohjelmoinnin', 'hauska'),
  titled('Hungarian', 'Adatbázisok kezelése', 'adatbázis', 'adatbazisok', 'adatbázist'),

  titled('Portuguese', 'Introdução à computação', 'introducao', 'computação', 'computacoes'),
  titled('Czech', 'Příběh jednoho překladače', 'překladač', 'prekladac', 'pribeh', 'příběhy'),
  titled('Ukrainian', 'Безпека відкритого коду', 'безпеки', 'відкритий код', 'безпека коду', 'безпеку'),
  titled('Icelandic', 'Þróun hugbúnaðar', 'thróun', 'þróun', 'throun', 'hugbúnaður'),
]
