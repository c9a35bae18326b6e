-- The blog's first posts, so that a new installation has something to read. Administrators change or delete them.
insert into blog_posts (slug, language, title, summary, author, published_at, body) values
('photos-for-a-funeral-in-a-day', 'en', 'How to gather photos for a funeral in one day',
 'A calm plan for the day on which nobody is calm: whom to ask, what to ask for, and what can wait.',
 'Skies', '2026-09-14 08:00+00', $$<p>There are often only four or five days between a death and a funeral, and one evening on which somebody asks: do we have photos? You do. They are in other people’s telephones, and this is how to have them all in one place by tomorrow night.</p>
<h2>First hour: make one place</h2>
<p>Make a memory with the name and, if you like, the years. Nothing else is needed yet. Share it with a link that lets people add, and give it a PIN. Do not look for photos before this is done: you would send the same file five times.</p>
<h2>Second hour: ask six people</h2>
<p>Do not write to everybody. Write to one person from each part of the life: a brother or sister, a childhood friend, a colleague, a neighbour, somebody from the choir or the club, and the youngest in the family, who has taken the most pictures. Ask each for ten photos and one story, by tomorrow at six. People who are asked for “anything you have” send nothing; people who are asked for ten send twelve.</p>
<h2>In the afternoon: the shoebox</h2>
<p>Lay the old prints by a window, out of the sun, and photograph them from straight above with a telephone. Leave a little of the table around each. It is not the best scan that there could be, and for now it is enough. Give each of them a year, or “about 1962”: it takes a second, and next week nobody remembers.</p>
<h2>In the evening: choose twenty</h2>
<p>Twenty photos are a slideshow of two minutes, which is as long as a room can look. Take the ones in which you can hear the voice. Choose one for the cover and for the order of service, and print the QR code beside it, so that everyone who comes can see the rest on the way home.</p>
<h2>What can wait</h2>
<p>Captions, the right order, duplicates, the videos: all of that is better done in a month, by two people, with tea. What cannot wait are the stories of those who are very old. Ask them for one, at the funeral itself, and write it down in their own words.</p>$$),
('photos-for-a-funeral-in-a-day', 'it', 'Raccogliere le foto per un funerale in un giorno',
 'Un piano tranquillo per il giorno in cui nessuno è tranquillo: a chi chiedere, che cosa chiedere e che cosa può aspettare.',
 'Skies', '2026-09-14 08:00+00', $$<p>Tra una morte e un funerale ci sono spesso solo quattro o cinque giorni, e una sera in cui qualcuno chiede: abbiamo delle foto? Le avete. Sono nei telefoni degli altri, e così potete averle tutte in un solo luogo entro domani sera.</p>
<h2>La prima ora: create un luogo</h2>
<p>Create un ricordo con il nome e, se volete, gli anni. Per ora non serve altro. Condividetelo con un link che permette di aggiungere, e dategli un PIN. Non cercate foto prima: mandereste lo stesso file cinque volte.</p>
<h2>La seconda ora: chiedete a sei persone</h2>
<p>Non scrivete a tutti. Scrivete a una persona per ogni parte della vita: un fratello o una sorella, un’amica d’infanzia, un collega, una vicina, qualcuno del coro o della squadra, e il più giovane della famiglia, che ha scattato più foto di tutti. Chiedete a ognuno dieci foto e una storia, entro domani alle sei. A chi si chiede «quello che hai» non manda nulla; a chi se ne chiedono dieci ne manda dodici.</p>
<h2>Il pomeriggio: la scatola di scarpe</h2>
<p>Mettete le vecchie stampe vicino a una finestra, lontano dal sole, e fotografatele dall’alto con il telefono, lasciando un po’ di tavolo intorno. Non è la scansione migliore, ma per ora basta. Date a ognuna un anno, o «circa 1962»: ci vuole un secondo, e tra una settimana nessuno se lo ricorda.</p>
<h2>La sera: sceglietene venti</h2>
<p>Venti foto sono due minuti di proiezione: quanto una sala riesce a guardare. Prendete quelle in cui si sente la voce. Sceglietene una per la copertina e per il libretto della cerimonia, e stampateci accanto il codice QR: così chi viene potrà vedere le altre tornando a casa.</p>
<h2>Che cosa può aspettare</h2>
<p>Le didascalie, l’ordine giusto, i doppioni, i video: tutto questo riesce meglio tra un mese, in due, con un tè. Non possono aspettare le storie di chi è molto anziano. Chiedetene una, proprio al funerale, e scrivetela con le loro parole.</p>$$),
('a-shared-album-for-a-wedding', 'en', 'A shared album for a wedding that guests really use',
 'Two hundred guests take three thousand photos. Here is how the couple get to see them.',
 'Skies', '2026-10-05 08:00+00', $$<p>The photographer delivers eight hundred photos in six weeks. The guests have three thousand on the same evening, and most of them will never leave their telephones. It does not take an app to change that. It takes a card on the table and one sentence.</p>
<h2>Before the day</h2>
<p>Make an event with the date and the programme, and a link of its own for guests. Let it take photos and comments, and let it end two weeks after the wedding: a date is the kindest way to be reminded. Ask for approval first if you would rather see everything before others do.</p>
<h2>On the tables</h2>
<p>Print the QR code at least three centimetres wide, dark on white, on a card that stands. Put one on each table and one where people wait: by the bar, by the cloakroom, at the photo corner. Under the code write one sentence, and not “upload your pictures here”. Write: “We cannot see ourselves today. Please show us.”</p>
<h2>During the evening</h2>
<p>Let somebody you trust look at what comes in, and let the band or the DJ mention it once, after the first dance. One mention is worth more than ten cards. Poor reception does no harm: what could not be sent goes on by itself when the guests are in the hotel’s network.</p>
<h2>The week after</h2>
<p>Thank everyone with the same link. You will get the second half of the photos then, and they are the better half: people choose once they have slept. Then download all of it, once, to a disk at home. It is your wedding, and it should be in more than one place.</p>$$),
('a-shared-album-for-a-wedding', 'it', 'Un album condiviso per le nozze che gli invitati usano davvero',
 'Duecento invitati scattano tremila foto. Ecco come gli sposi riescono a vederle.',
 'Skies', '2026-10-05 08:00+00', $$<p>Il fotografo consegna ottocento foto in sei settimane. Gli invitati ne hanno tremila la sera stessa, e la maggior parte non lascerà mai i loro telefoni. Per cambiare le cose non serve un’app. Servono un cartoncino sul tavolo e una frase.</p>
<h2>Prima del giorno</h2>
<p>Create un evento con la data e il programma, e un link apposta per gli invitati. Permettete foto e commenti, e fatelo scadere due settimane dopo le nozze: una data è il modo più gentile di ricordare. Attivate l’approvazione se preferite vedere tutto prima degli altri.</p>
<h2>Sui tavoli</h2>
<p>Stampate il codice QR largo almeno tre centimetri, scuro su bianco, su un cartoncino che sta in piedi. Mettetene uno su ogni tavolo e uno dove si aspetta: al bar, al guardaroba, all’angolo delle foto. Sotto il codice scrivete una frase, e non «carica qui le tue foto». Scrivete: «Oggi noi non ci vediamo. Fateci vedere.»</p>
<h2>Durante la serata</h2>
<p>Affidate a una persona di fiducia uno sguardo a ciò che arriva, e fate dire una parola al gruppo o al DJ, una volta, dopo il primo ballo. Una parola vale più di dieci cartoncini. Se il segnale è debole non importa: ciò che non è partito riparte da solo quando gli invitati sono nella rete dell’albergo.</p>
<h2>La settimana dopo</h2>
<p>Ringraziate tutti con lo stesso link. Arriverà allora la seconda metà delle foto, che è la migliore: si sceglie bene dopo aver dormito. Poi scaricate tutto, una volta, su un disco a casa. Sono le vostre nozze, ed è bene che siano in più di un posto.</p>$$),
('a-box-of-slides', 'en', 'What to do with a box of slides',
 'Four hundred slides, no projector, and nobody who knows the year. A weekend is enough to save what matters.',
 'Skies', '2026-11-09 08:00+00', $$<p>Somewhere in your family is a box with slides. They are the sharpest pictures that were taken before 1990, and they fade a little every year. You do not need a laboratory. You need a weekend and the courage to throw some away.</p>
<h2>Look before you scan</h2>
<p>Open a white page on a tablet, turn the brightness up, and lay twenty slides on it at a time. You see at once what is there. Make three piles: people, places with people, and sunsets. Keep the first, look again at the second, and let the third go.</p>
<h2>Write down the order</h2>
<p>The boxes and the numbers on the frames are all the dates that you have. Photograph each magazine from above before you take anything out, and add that photo too. “Box 4, Lake Garda” is worth more than a perfect scan without a place.</p>
<h2>Scan, or photograph</h2>
<p>A scanner with a slide holder at 2,400 dots an inch makes a file that prints as large as a book. It takes two minutes a slide. A camera with a close-up lens over the same white tablet takes ten seconds, and is good enough for all but the best thirty. Blow off the dust first; do not wipe. TIFF files are fine: add them as they are.</p>
<h2>Give them a time</h2>
<p>Choose several at once and set a date as you know it: a day, a month, a summer, a year, or “about 1962”. They find their place in the order by themselves. Who is in the picture belongs in the caption, with the family name: your grandchildren will not know which Anna it was.</p>
<h2>Then ask</h2>
<p>Share the memory with the oldest person you know, and sit beside them while they look. Write down what they say under each photo. That is what the box was really for.</p>$$),
('a-box-of-slides', 'it', 'Che cosa fare con una scatola di diapositive',
 'Quattrocento diapositive, nessun proiettore e nessuno che sappia l’anno. Un fine settimana basta per salvare ciò che conta.',
 'Skies', '2026-11-09 08:00+00', $$<p>Da qualche parte nella vostra famiglia c’è una scatola di diapositive. Sono le immagini più nitide scattate prima del 1990, e ogni anno sbiadiscono un po’. Non serve un laboratorio. Servono un fine settimana e il coraggio di buttarne qualcuna.</p>
<h2>Guardare prima di digitalizzare</h2>
<p>Aprite una pagina bianca su un tablet, alzate la luminosità e appoggiatene venti alla volta. Si vede subito che cosa c’è. Fate tre mucchi: persone, luoghi con persone, tramonti. Tenete il primo, riguardate il secondo, lasciate andare il terzo.</p>
<h2>Annotare l’ordine</h2>
<p>Le scatole e i numeri sui telaietti sono tutte le date che avete. Fotografate ogni caricatore dall’alto prima di toccarlo, e aggiungete anche quella foto. «Scatola 4, lago di Garda» vale più di una scansione perfetta senza un luogo.</p>
<h2>Scanner o fotocamera</h2>
<p>Uno scanner con supporto per diapositive a 2400 punti per pollice crea un file che si stampa grande come un libro. Ci vogliono due minuti l’una. Una fotocamera con un obiettivo macro sopra lo stesso tablet bianco ne impiega dieci secondi, e basta per tutte tranne le trenta migliori. Prima soffiate via la polvere; non strofinate. I file TIFF vanno bene: aggiungeteli così come sono.</p>
<h2>Dare un tempo</h2>
<p>Sceglietene diverse insieme e date loro una data come la conoscete: un giorno, un mese, un’estate, un anno, o «circa 1962». Troveranno da sole il loro posto. Chi c’è nella foto va nella didascalia, con il cognome: i vostri nipoti non sapranno quale Anna era.</p>
<h2>Poi chiedere</h2>
<p>Condividete il ricordo con la persona più anziana che conoscete, e sedetevi accanto mentre guarda. Scrivete sotto ogni foto quello che dice. È per questo che c’era la scatola.</p>$$);
