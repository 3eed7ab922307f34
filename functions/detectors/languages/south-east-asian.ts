import type { LanguageWords } from './words.ts';

const VIETNAMESE: LanguageWords = {
  lang: 'vi',
  order: 'first',
  words: {
    drop: `bỏ qua | hãy quên | quên đi | quên hết | quên tất cả | quên mọi | quên các | quên những | quên toàn bộ
      | quên sạch | phớt lờ | làm ngơ | lờ đi | lờ tất cả | mặc kệ | bất chấp | gạt bỏ | gạt sang một bên
      | gạt qua một bên | bỏ ngoài tai | hãy bỏ | phải bỏ | vứt bỏ | vứt hết | bỏ hết | bỏ đi | quên | lơ đi
      | xem nhẹ | dẹp bỏ | dẹp hết | gạt đi | cho qua | vứt đi | ném bỏ | xóa khỏi bộ nhớ | quay lưng`,
    undo: `tắt | xóa | xoá | hủy | huỷ | phá | vượt qua | ghi đè | xóa bỏ | từ bỏ | hủy bỏ | phá vỡ | phá bỏ
      | vi phạm | đình chỉ | thoát khỏi | loại bỏ | vô hiệu hóa | bác bỏ | thay thế | gỡ bỏ | làm trái`,
    void: `không còn hiệu lực | không còn áp dụng | không còn giá trị | hết hiệu lực | bị vô hiệu
      | {là,như} {vô hiệu,không có hiệu lực,không hợp lệ,không tồn tại}
      | không còn {đúng,quan trọng,tác dụng,có hiệu lực,ý nghĩa} | không {áp dụng,có hiệu lực,có giá trị} nữa
      | bị hủy | bị bãi bỏ | bị thu hồi | được hủy | được bãi bỏ | được vô hiệu | được thu hồi | không tồn tại
      | không còn tồn tại`,
    norm: `hướng dẫn | chỉ dẫn | chỉ thị | lệnh | mệnh lệnh | câu lệnh | lời nhắc | yêu cầu | prompt | chỉ lệnh
      | quy định | lập trình | hướng dẫn sử dụng hệ thống | điều đã được dạy`,
    limit: `quy tắc | nguyên tắc | giới hạn | hạn chế | ràng buộc | bộ lọc | luật lệ | kiểm duyệt | quy định
      | rào cản | điều cấm | chính sách | luật | cấm kỵ`,
    safety: 'an toàn | bảo mật',
    nature: 'quá trình huấn luyện | lập trình | đào tạo',
    prior: `trước đó | trước đây | ở trên | phía trên | bên trên | trước | ban đầu | cũ | hiện tại | hiện có
      | hệ thống | từ trước | trên đây | trên | gốc | bí mật | ẩn | nội bộ | từ đầu | nãy giờ | vừa rồi | đến nay
      | đến giờ | lúc đầu | đầu tiên | vừa nêu | đã nêu | phía trước | đằng trước | nêu trên`,
    yours: 'của bạn | của mày | của anh | của mi | của em | của ngươi',
    given: `đã cho | được cho | đã nhận | nhận được | được giao | đã nói | được nói | được dạy | được cung cấp
      | đã học | được đưa ra | đã đưa ra | được lập trình | đã được | đã dạy | được bảo | đã đặt ra | đã yêu cầu
      | được hướng dẫn | giao cho | được đặt ra | áp đặt | đã đặt | viết ở | được dặn | dặn | thỏa thuận`,
    all: 'tất cả | mọi | toàn bộ | hết | bất kỳ | các | những | trọn vẹn',
    things: 'tất cả | mọi thứ | mọi điều | những gì | toàn bộ | những điều | mọi thứ mà',
    told: `những điều trên | những gì ở trên | tất cả những điều trên | mọi điều ở trên | nội dung trên
      | toàn bộ nội dung trên`,
    text: 'nội dung | văn bản | đoạn | lời',
    not: 'không | đừng | chớ | chưa | bị',
    keep: `{đừng,chớ,không} {quên,bỏ qua,phớt lờ,được quên,được bỏ qua,lờ đi,được phớt lờ,bao giờ quên}`,
    others: 'tôi | chúng tôi | họ | anh ấy | cô ấy | không ai',
    message: 'email* | thư | câu hỏi | bình luận | hóa đơn | cuộc gọi | tin nhắn của tôi',
    said: '{tôi,mình,em,tớ} {đã,vừa,mới,nói,viết,hỏi,gửi,đưa,dán,yêu cầu,nhờ,nhắc,gõ,đề cập}',
    mine: 'của {tôi,mình,em,tớ}',
    role: 'bạn là | bạn sẽ là | bạn giờ là | bây giờ bạn là | mày là',
    scope: `độ dài | số từ | số chữ | ký tự | ngân sách | định dạng | thời gian | kích thước | số lượng | dung lượng
      | giá | tốc độ`,
    show: `hiển thị | tiết lộ | in ra | nhắc lại | lặp lại | liệt kê | cho tôi biết | cho tôi xem | cho xem
      | cho biết | viết ra | viết lại | đưa ra | nói cho tôi | trích dẫn | dịch | tóm tắt | sao chép | đọc cho tôi
      | nói ra | chép lại | xuất ra | in nguyên văn | chia sẻ | công khai | kể`,
    ask: 'là gì | là những gì | gồm những gì | nói gì | viết gì',
    prompt: `prompt hệ thống | lời nhắc hệ thống | lời nhắc của hệ thống | chỉ thị hệ thống | hướng dẫn hệ thống
      | lệnh hệ thống | câu lệnh hệ thống | thông điệp hệ thống | chỉ dẫn hệ thống | tin nhắn hệ thống
      | prompt ban đầu | prompt gốc`,
    reveal: `hiển thị | tiết lộ | in ra | nhắc lại | lặp lại | cho tôi xem | cho xem | xuất ra | in nguyên văn
      | công khai | chép lại`,
    freed: `bạn không còn | bạn không có | bạn không bị | bạn thoát khỏi | không áp dụng cho bạn
      | không còn áp dụng cho bạn | mày không còn | bạn được tự do khỏi | bạn không phải tuân`,
    next: 'và | nhưng | hoặc | rồi',
    obey: `{tuân theo,tuân thủ,làm theo,nghe theo,để ý,quan tâm,chú ý,chấp hành,vâng lời,bận tâm, phục tùng,để tâm,
       nghe lời}`,
    cease: `ngừng | dừng | thôi | không cần phải | không phải | không được | thay vì | từ chối | chẳng cần
      | khỏi cần | khỏi phải`,
    asIf: `{như thể,cứ như,coi như,giả vờ như,xem như,giả vờ} {không có,bạn chưa từng,chưa từng,bạn không,
       bạn không có,chưa bao giờ,bạn chưa bao giờ,không hề có,không tồn tại,bạn chưa}`,
    alone: 'chỉ {nghe tôi,nghe lời tôi,nghe theo tôi,làm theo tôi,tuân theo tôi,vâng lời tôi,làm theo lời tôi}',
    be: `bạn là | bạn sẽ là | bạn giờ là | bây giờ bạn là | mày là | hãy trả lời | trả lời | hãy hành động
      | hành động`,
    without: 'không có | không bị | không còn | không chịu | không | thoát khỏi',
    maker: 'nhà phát triển | người tạo ra | lập trình viên | người phát triển | nhà sản xuất | đội ngũ phát triển',
    verbatim: 'từng chữ | từng từ | nguyên văn | y nguyên | chính xác từng',
    follow: 'làm theo | tuân theo | nghe theo | tuân thủ | nghe lời',
  },
};

const INDONESIAN: LanguageWords = {
  lang: 'id',
  order: 'first',
  ending: 3,
  words: {
    drop: `abaikan | abaikanlah | mengabaikan | lupakan | lupakanlah | melupakan | jangan ikut | jangan gunakan
      | jangan endahkan | berhentilah mengikuti | hiraukan saja | kesampingkan | kesampingkanlah | ketepikan
      | acuhkan | cuekin | usah ikut | usah ikuti | diabaikan | kesampingkan* | buang | buanglah | lupain
      | tinggalkan | singkirkan | anggap angin lalu`,
    undo: `lewati | langkau | nonaktifkan | nyahaktifkan | timpa | hapus | hapuskan | padam | padamkan | batalkan
      | langgar | tinggalkan | singkirkan | lampaui | tolak | buang | matikan | tangguhkan | gantung | terobos
      | ganti | gantikan | cabut | dibatalkan | terbatal | dicabut | bebaskan diri`,
    void: `tidak berlaku lagi | sudah tidak berlaku | tidak lagi berlaku | tidak lagi terpakai | tidak terpakai lagi
      | {sudah,kini,sekarang} tidak berlaku | tidak berlaku {lagi,bagimu,untukmu}
      | tidak {relevan lagi,lagi berlaku,lagi relevan} | dibatalkan | dicabut | dihapus | tidak sah | batal | gugur
      | tidak ada | tidak pernah ada | tak ada`,
    norm: `instruksi* | arahan* | petunjuk* | perintah* | pedoman* | panduan* | garis panduan | prompt* | gesaan*
      | suruhan* | ketentuan* | pemrograman* | pengaturcaraan | protokol* | titah`,
    limit: `aturan* | peraturan* | batasan* | pembatasan* | sekatan* | larangan* | filter* | penapis* | prinsip*
      | kebijakan* | dasar | had | sensor* | pantangan | pagar pembatas | penyaring* | saringan*`,
    ownNorm: `instruksimu | aturanmu | perintahmu | petunjukmu | pedomanmu | batasanmu | arahanmu | filtermu
      | pemrogramanmu | promptmu | prinsipmu`,
    safety: 'keamanan | keselamatan',
    nature: 'pelatihan* | pemrograman* | nilai',
    prior: `sebelumnya | sebelum ini | terdahulu | tadi | awal | di atas | diatas | asli | asal | yang ada
      | sedia ada | lama | bawaan | sistem | rahasia | rahsia | tersembunyi | internal | dalaman | sejauh ini
      | selama ini | sampai sekarang | hingga kini | semula | di awal | sejak awal | yang lalu`,
    yours: 'kamu | anda | mu | awak | engkau | kau | milikmu',
    given: `diberikan | diberi | kuberikan | terima | diterima | dikatakan | disampaikan | diajarkan | diajar
      | dipelajari | diprogram | dapatkan | didapat | beritahu | ditulis | tertulis | dibilang | diucapkan
      | diperintahkan | disepakati | dipesankan`,
    all: 'semua | seluruh | segala | setiap | sebarang | apa pun | apapun | segenap',
    things: 'semua | semuanya | segalanya | segala sesuatu | apa pun | semua yang | apa yang | semua hal',
    told: 'semua di atas | yang di atas | semua yang di atas',
    text: 'teks | kata kata | isi | tulisan',
    not: 'jangan | tidak | tak | bukan',
    keep: `{jangan,tidak,tak} {lupa,lupakan,melupakan,abaikan,mengabaikan,sampai lupa,pernah lupa,lewatkan,kau
      lupakan}`,
    others: 'saya | aku | kami | dia | mereka',
    message: 'email* | surel* | surat* | pertanyaan* | soalan* | komentar* | komen | faktur* | panggilan* | pesanan',
    said: `{yang,tadi} {saya,aku} | {saya,aku} {tulis,tuliskan,bilang,katakan,kirim,kirimkan,tanyakan,tanya,
      sebut,sebutkan,minta,tempel,tempelkan,berikan,kasih,sampaikan,ketik,unggah} | kutulis | kukirim | kukatakan
      | kutanyakan | kubilang | kuminta | kutempel | kuberikan`,
    mine: `{pesan,pertanyaan,permintaan,draf,teks,pesanan,kode,jawaban,dari} {saya,aku,kami} | pesanku | pertanyaanku
      | permintaanku | pesananku | drafku`,
    role: 'kamu adalah | anda adalah | engkau adalah | kau adalah | kamu kini',
    scope: 'panjang | kata | karakter | anggaran | format | waktu | ukuran | jumlah | data | harga | kecepatan | kuota',
    show: `tampilkan | ungkapkan | ulangi | ulang | cetak | beritahu* | beri tahu | terjemahkan | sebutkan | kutip
      | jelaskan | ringkas | tuliskan | tulis | bagikan | kongsi* | daftarkan | salin | bacakan | tunjukkan
      | tunjukan | perlihatkan | dedahkan | bocorkan | senaraikan | paparkan | katakan | berikan | keluarkan`,
    ask: 'apa | apakah | apa saja | apa isi',
    prompt: `prompt sistem* | sistem prompt* | instruksi sistem* | perintah sistem* | pesan sistem* | arahan sistem*
      | gesaan sistem* | mesej sistem* | prompt awal* | prompt rahasia* | prompt tersembunyi*`,
    reveal: `tampilkan | ungkapkan | ulangi | ulang | cetak | tunjukkan | tunjukan | perlihatkan | dedahkan
      | bocorkan | paparkan | keluarkan`,
    freed: `kamu tidak punya | kamu tidak memiliki | anda tidak memiliki | anda tidak punya | kamu tidak lagi
      | anda tidak lagi | kamu bebas dari | anda bebas dari | tidak berlaku bagimu | tidak berlaku untukmu
      | tidak berlaku bagi anda | kamu tidak terikat | anda tidak terikat | awak tiada | awak tidak lagi
      | anda tiada`,
    next: 'dan | tetapi | tapi | atau | lalu',
    obey: `{mengikuti,ikuti,mengikut,patuhi,mematuhi,taati,menaati,mentaati,turuti,menuruti,hiraukan,menghiraukan,
       pedulikan,memedulikan,perhatikan,memperhatikan,indahkan,mengindahkan,jalankan,menjalankan,laksanakan,terapkan,
       pertimbangkan,mempertimbangkan,dengarkan,gubris,terikat}`,
    cease: `berhenti | hentikan | tidak perlu | tak perlu | tidak usah | tak usah | tanpa | alih alih | tidak harus
      | tidak wajib | tolak untuk`,
    asIf: `{seolah olah,seolah,seakan akan,seakan} {kamu tidak,tidak ada,kamu tidak pernah,tidak pernah,anda tidak,
       anda tidak pernah,kau tidak pernah,tak ada}`,
    alone: `{dengarkan,ikuti,turuti,patuhi,taati} {hanya,cuma} {aku,saya,perintahku,perintah saya}
      | hanya {dengarkan,ikuti,turuti,patuhi} {aku,saya,perintahku}`,
    be: `kamu adalah | anda adalah | engkau adalah | kau adalah | kamu kini | jawab | jawablah | bertindaklah
      | bertindak`,
    without: 'tanpa | bebas dari | tidak memiliki | tidak punya',
    maker: 'pengembang* | pembuat* | pencipta* | programmer* | developer*',
    verbatim: 'kata demi kata | kata per kata | persis | huruf demi huruf | apa adanya | secara utuh',
    follow: 'ikuti | turuti | patuhi | ikutilah | jalankan',
  },
};

const JAVANESE: LanguageWords = {
  lang: 'jv',
  order: 'first',
  ending: 3,
  words: {
    drop: `lirwakna | lirwakake | nglirwakake | lalekna | lalekake | lalino | lali karo | aja digubris | ojo digubris
      | aja dituruti | ojo dituruti | aja manut | ojo manut | aja nuruti | ojo nuruti | aja diturut | tinggalen
      | mandheg manut | aja nggatekake | ojo nggatekake | abaikna | abaikan | lalekno | aja dirungokake`,
    undo: 'patenana | busaken | batalna | batalake | singkirna | singkirake | langgaren | liwatana | tolaken | ganten',
    void: 'ora kanggo | ora ana gunane',
    norm: 'prentah* | préntah* | pituduh* | instruksi* | pedoman* | piwulang* | prompt* | dhawuh* | arahan*',
    limit: 'aturan* | watesan* | pranatan* | larangan* | filter* | prinsip*',
    ownNorm: 'prentahmu | aturanmu | pituduhmu | watesanmu | instruksimu | filtermu',
    safety: 'keamanan',
    nature: 'latihan* | program*',
    prior: `sadurunge | sakdurunge | mau | ing dhuwur | nang dhuwur | dhuwur | lawas | asli | wiwitan | sistem
      | rahasia | sing ana | nganti saiki`,
    yours: 'mu | kowe | panjenengan | sampeyan | duwekmu',
    given: 'diwenehake | diwenehi | tampa | mbok tampa | dikandhakake | diwulangake | ditulis | wenehi | dikandhani',
    all: 'kabeh | sakabehe | saben | sembarang',
    things: 'kabeh | sakabehe | apa wae | kabeh sing',
    text: 'teks | tembung | isi | tulisan',
    not: 'aja | ojo | ora',
    keep: `{aja,ojo} {lali,nganti lali,lalekna,lirwakna,lirwakake,lalekake}`,
    others: 'aku | dheweke',
    message: 'email* | layang* | pitakon* | komentar*',
    said: '{sing,kang} {tak,dak,aku,kula} | {aku,kula} {tulis,kirim,takon,njaluk}',
    mine: 'pesenku | pitakonku | panjalukku',
    scope: 'dawa | tembung | wektu',
    show: `tuduhna | tuduhake | bukaken | balenana | cithaken | kandhakna | kandhanana | terjemahna | terangna
      | tulisen | wacanen | salinen | bocorna | wenehna`,
    ask: 'apa',
    prompt: 'prompt sistem* | sistem prompt* | prentah sistem* | instruksi sistem*',
    reveal: 'tuduhna | tuduhake | bukaken | balenana | cithaken | bocorna',
    freed: 'kowe ora duwe | kowe wis ora duwe | ora tumrap kowe | kowe bebas saka',
    next: 'lan | nanging | utawa',
    asIf: '{kaya,kaya dene} {ora ana,kowe ora}',
  },
};

const TAGALOG: LanguageWords = {
  lang: 'tl',
  order: 'first',
  ending: 2,
  words: {
    drop: `balewalain* | balewalain mo | baliwalain* | kalimutan* | limutin* | itigil ang pagsunod
      | tigilan ang pagsunod | tigilan mo ang pagsunod | isantabi* | ipagwalang bahala* | i ignore | ignorahin*
      | huwag makinig`,
    undo: `lampasan* | labagin* | patayin* | burahin* | kanselahin* | iwanan* | talikuran* | palitan* | suwayin*
      | alisin* | tanggalin* | kinansela | i bypass | i override | i delete | i cancel`,
    void: 'hindi na umiiral | wala nang bisa | hindi na epektibo | hindi na nalalapat',
    norm: `tagubilin* | utos* | panuto* | direktiba* | gabay* | instruksiyon* | instruksyon* | instructions
      | prompt* | programming | guidelines | kautusan | mando`,
    limit: `alituntunin* | patakaran* | limitasyon* | paghihigpit* | prinsipyo* | panuntunan* | rules | filter*
      | restrictions | restriksyon* | tuntunin* | hangganan*`,
    safety: 'safety | kaligtasan | seguridad',
    nature: 'pagsasanay | programming',
    prior: `nauna* | naunang | nakaraan* | dati* | dating | orihinal* | sa itaas | itaas | kanina* | kasalukuyan*
      | luma* | una* | unang | sistema | lihim | nakatago* | bago ito | hanggang ngayon | sa ngayon`,
    yours: 'mo | iyong | iyo | inyo | inyong | ninyo',
    given: `ibinigay* | binigay* | natanggap* | sinabi* | itinuro* | natutunan* | isinulat* | nakasulat | inutos*
      | ipinag utos | sinabi sa iyo`,
    all: 'lahat | bawat | anumang | anuman',
    things: 'lahat | lahat ng | anumang',
    text: 'teksto* | salita* | nilalaman*',
    not: 'huwag | wag | hindi',
    keep: `{huwag,wag} {kalimutan*,limutin*,balewalain*,mong kalimutan*,ninyong kalimutan*,pong kalimutan*,mong
      balewalain*}`,
    others: 'ako | kami | tayo | siya | sila',
    message: 'email* | liham* | tanong* | komento* | sulat* | tawag*',
    said: '{sinabi,isinulat,tinanong,ipinadala,ibinigay,hiningi,nabanggit,inilagay} ko',
    mine: 'aking | {mensahe,tanong,sulat,draft} ko',
    scope: 'haba | salita | badyet | oras',
    show: `ipakita* | ibunyag* | ulitin* | i print | sabihin* | isalin* | banggitin* | ipaliwanag* | isulat*
      | ibahagi* | ilista* | kopyahin* | basahin* | ibigay* | ilabas* | ilahad*`,
    ask: 'ano | ano ang | anong',
    prompt: 'prompt ng sistema | mensahe ng sistema | system message* | utos ng sistema | tagubilin ng sistema',
    reveal: 'ipakita* | ibunyag* | ulitin* | i print | ilabas* | ilahad*',
    freed: 'wala kang | wala ka nang | wala ka ng | hindi ka na sakop ng | malaya ka sa | hindi ka saklaw ng',
    next: 'at | pero | ngunit | o',
    obey: '{sundin,sumunod,sundan,pansinin,pakinggan,intindihin,isaalang alang,tumalima}',
    cease: `tumigil sa | itigil ang | hindi mo kailangang | hindi kailangang | nang hindi | huwag mo nang
      | huwag nang`,
    asIf: '{na parang,parang} {wala kang,walang,hindi ka,wala}',
  },
};

const THAI: LanguageWords = {
  lang: 'th',
  order: 'first',
  spaced: false,
  words: {
    drop: `เพิกเฉย | ลืม | ไม่ต้องสนใจ | ไม่สนใจ | อย่าสนใจ | ละเลย | มองข้าม | อย่าทำตาม | ไม่ต้องทำตาม | ไม่ทำตาม
      | เลิกทำตาม | หยุดทำตาม | อย่าปฏิบัติตาม | ไม่ต้องปฏิบัติตาม | ไม่ปฏิบัติตาม | หยุดปฏิบัติตาม | เลิกปฏิบัติตาม
      | ไม่ต้องเชื่อฟัง | หยุดเชื่อฟัง | อย่าเชื่อฟัง | ไม่ต้องคำนึงถึง | อย่าใส่ใจ | ไม่ต้องใส่ใจ | เมิน
      | ทำเป็นไม่เห็น | ไม่ยึดตาม | ละเว้น | ไม่ใส่ใจ | อย่าไปสนใจ | ไม่ต้องไปสนใจ | เลิกสนใจ | หยุดสนใจ
      | ไม่ต้องฟัง | อย่าฟัง | ไม่ต้องยึด | ไม่ต้องเคารพ | ไม่จำเป็นต้องทำตาม | ไม่จำเป็นต้องปฏิบัติตาม | โยนทิ้ง
      | ไม่ต้องยุ่ง | ไม่ต้องแคร์ | วางเฉย`,
    undo: `ข้าม | ละทิ้ง | ปิด | เขียนทับ | ลบ | ยกเลิก | ฝ่าฝืน | ก้าวข้าม | ปฏิเสธ | ระงับ | หลุดพ้น | ทิ้ง
      | แทนที่ | ละเมิด | แหก`,
    norm: `คำสั่ง | คำแนะนำ | แนวทาง | พรอมต์ | พรอมท์ | พร้อมท์ | ข้อกำหนด | คำชี้แนะ | คำชี้แจง | โปรแกรม
      | คำบัญชา | prompt`,
    limit: `กฎ | กฏ | ข้อจำกัด | ตัวกรอง | ระเบียบ | ขอบเขต | หลักการ | ข้อห้าม | นโยบาย | กติกา | ขีดจำกัด
      | การเซ็นเซอร์ | เซ็นเซอร์`,
    safety: 'ความปลอดภัย',
    nature: 'การฝึก | การเขียนโปรแกรม',
    prior: `ก่อนหน้า | เดิม | ข้างต้น | ด้านบน | ข้างบน | ที่ผ่านมา | เก่า | เริ่มต้น | เริ่มแรก | ที่มีอยู่ | ระบบ
      | ลับ | ที่ซ่อน | ภายใน | จนถึงตอนนี้ | ก่อนนี้ | แต่เดิม`,
    yours: 'ของคุณ | ของเธอ | ของแก | ของมึง | ของท่าน',
    given: `ที่ได้รับ | ที่ให้ | ให้ไว้ | ได้รับมา | ที่บอก | บอกไว้ | ที่สอน | ถูกสอน | เรียนรู้มา | ถูกตั้ง
      | ถูกบอก | เขียนไว้ | กล่าวไว้ | ที่กำหนด | ที่เคยบอก | เคยบอก | เคยสอน | ที่เคยได้รับ | ถูกกำหนด`,
    all: 'ทั้งหมด | ทุกข้อ | ทุก | ใดๆ | ทั้งปวง | ทั้งสิ้น',
    things: 'ทุกอย่าง | ทุกสิ่ง | สิ่งที่ | ทั้งหมดที่',
    text: 'เนื้อหา | คำพูด',
    not: 'อย่า | ไม่ | ห้าม',
    keep: `อย่าลืม | อย่าเพิกเฉย | ห้ามลืม | ไม่ลืม | อย่าละเลย | อย่ามองข้าม | ห้ามเพิกเฉย`,
    others: 'ฉัน | ผม | เรา | เขา | พวกเขา',
    message: 'อีเมล | เมล | คำถาม | ความคิดเห็น | จดหมาย | ใบแจ้งหนี้ | สายโทร',
    said: '{ที่,สิ่งที่}{ฉัน,ผม,ดิฉัน,หนู}',
    mine: 'ของ{ฉัน,ผม,ดิฉัน,เรา,หนู}',
    role: 'คุณคือ | คุณเป็น',
    scope: 'ความยาว | จำนวน | งบประมาณ | เวลา | รูปแบบ | ขนาด',
    show: `แสดง | เปิดเผย | พูดซ้ำ | ทวน | พิมพ์ | บอก | แปล | อ้างอิง | สรุป | เขียน | แบ่งปัน | คัดลอก | อ่าน
      | ระบุ`,
    ask: 'คืออะไร | ว่าอะไร | มีอะไรบ้าง',
    prompt: 'พรอมต์ระบบ | พรอมต์ของระบบ | พรอมท์ระบบ | คำสั่งระบบ | คำสั่งของระบบ | ข้อความระบบ | ซิสเต็มพรอมต์',
    reveal: 'แสดง | เปิดเผย | พูดซ้ำ | ทวน | พิมพ์',
    freed: 'คุณไม่มี | คุณปราศจาก | ใช้กับคุณไม่ได้ | คุณหลุดพ้นจาก | คุณเป็นอิสระจาก',
    next: 'และ | แต่ | หรือ | แล้ว',
    void: `ไม่มีผล | ไม่มีผลอีกต่อไป | ใช้ไม่ได้อีก | เป็นโมฆะ | ถูกยกเลิก | ไม่บังคับใช้ | ไม่ถือว่า | ไม่มีอยู่
      | ไม่มีอยู่จริง`,
    asIf: `ราวกับไม่มี | เหมือนไม่มี | ราวกับว่าไม่มี | เหมือนว่าไม่มี | ราวกับว่าคุณไม่เคย | เหมือนคุณไม่เคย
      | ราวกับคุณไม่เคย`,
    alone: 'ฟังแค่ฉัน | ฟังฉันเท่านั้น | เชื่อฟังฉันเท่านั้น | ฟังผมเท่านั้น',
    be: 'คุณคือ | คุณเป็น | จงตอบ | ตอบ',
    without: 'ไม่มี | ปราศจาก | โดยไม่มี | ไร้',
    maker: 'ผู้พัฒนา | นักพัฒนา | ผู้สร้าง',
    verbatim: 'คำต่อคำ | ทุกคำ | ตัวต่อตัว',
  },
};

export const SOUTH_EAST_ASIAN = [VIETNAMESE, INDONESIAN, JAVANESE, TAGALOG, THAI];
