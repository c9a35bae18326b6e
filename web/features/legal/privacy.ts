import type { LegalText } from "./legal-text.ts";

/** The privacy policy. Every change requires a new version and date. */
export const privacy: LegalText = {
  version: "4",
  date: "2026-11-29",
  en: [
    {
      title: "Who is responsible",
      text: [
        "Whoever runs this site is responsible for the personal data on it. Write to us with the contact form, or to the address that our emails come from.",
        "Every family decides itself what it keeps here and who may see it. We act on its behalf, and read none of it.",
      ],
    },
    {
      title: "What we store",
      text: [
        "Your account: your email address or phone number, your name, your language, your password as a hash that cannot be turned back, your ways to sign in, your devices and when they were last used.",
        "What you add: photos, videos, stories, comments, candles, dates and captions, with the original files exactly as you gave them to us.",
        "Sharing: your links with their rights and their end, the PIN or passphrase as a keyed hash, whom you invited, and when a link was opened, without the address from which it was opened.",
        "Purchases: orders, receipts, delivery addresses of cards, and what a payment provider tells us of a payment. Card numbers never reach us.",
        "Messages: what you write by the contact form or in a report, with your name and address.",
      ],
    },
    {
      title: "What we remove before others see it",
      text: [
        "Photos and videos often carry the place where they were taken and the serial number of the camera. Everyone except the person who added a file and the managers of the memory gets a copy without them.",
      ],
    },
    {
      title: "Why we may",
      text: [
        "We process accounts, memories and orders to fulfil our contract with you; security logs and limits because we have a legitimate interest in keeping strangers out; receipts because the law asks for them; and counts of visits and the memory of who recommended us only with your consent.",
      ],
    },
    {
      title: "Who can see it",
      text: [
        "A memory is seen by the people its managers let in: by link, QR code, PIN, passphrase, invitation or engraved card. The rules are kept by the database, and hold for administrators as well: the site gives them no way to open a private memory.",
        "When a link is changed or closed, pages and videos that are open by it end within a second.",
      ],
    },
    {
      title: "Where it is and how it is protected",
      text: [
        "Data is stored on the servers of this site and the companies named below. It travels encrypted. Access needs a password, and a second step where you have set one up. Guessing is stopped after a few tries.",
        "Where you turn on notifications on a device, they pass encrypted through the service of its browser’s maker, which cannot read them.",
      ],
    },
    {
      title: "How long",
      text: [
        "What you add stays until you delete it, also when a plan has ended. What is deleted can be restored for 30 days; then rows and files are gone.",
        "An account is deleted at once when you ask for it, with everything in it; files follow within a day. What you added to memories of others stays there without your name. Orders and receipts are kept as long as tax law asks, without your memories. Backups still contain what was deleted until they are removed themselves, as a rule after 30 days.",
        "Signed download links and tokens end within an hour, one-time codes too.",
      ],
    },
    {
      title: "Your rights",
      text: [
        "You may see, correct, take out and delete your data: all of it on your profile, at any time, without asking us. You may object, restrict, withdraw a consent and complain to your data protection authority.",
        "Are you in a picture of somebody else's memory and do not want to be? Open it and choose “That is me, please not”, use “Report” on the memory's page, or write to us.",
      ],
    },
    {
      title: "Cookies and this browser",
      text: [
        "This browser keeps what the site needs to work: your sign-in, your language and theme, drafts that were not sent, the voucher you typed and your answer to the cookie banner. None of it is for advertising.",
        "Only after you agree, visits are counted, analytics and advertising services among the companies named below are told of them, and a recommendation is remembered for 30 days. They are told which kind of page was opened, a sign-up, a new memory, a share and the amount of a purchase; never which memory it was, a name, an address or a link. You can change your answer below and at the foot of every page.",
      ],
    },
    {
      title: "Children",
      text: [
        "An account is for people from 16 years on. Photos of children are seen only by those their family lets in.",
      ],
    },
    {
      title: "Changes",
      text: ["When this policy changes we say so here, with a new version and date, and by email where it matters."],
    },
  ],
  it: [
    {
      title: "Chi è il titolare",
      text: [
        "Il titolare dei dati personali è chi gestisce questo sito. Scrivici con il modulo di contatto o all’indirizzo da cui arrivano le nostre email.",
        "Ogni famiglia decide da sola che cosa custodire qui e chi può vederlo. Noi agiamo per suo conto e non leggiamo nulla.",
      ],
    },
    {
      title: "Che cosa conserviamo",
      text: [
        "Il tuo account: indirizzo email o numero di telefono, nome, lingua, la password come hash irreversibile, i tuoi metodi di accesso, i tuoi dispositivi e il loro ultimo utilizzo.",
        "Quello che aggiungi: foto, video, storie, commenti, candele, date e didascalie, con i file originali esattamente come ce li hai dati.",
        "La condivisione: i tuoi link con i loro diritti e la loro scadenza, il PIN o la frase segreta come hash con chiave, chi hai invitato e quando un link è stato aperto, senza l’indirizzo da cui è stato aperto.",
        "Gli acquisti: ordini, ricevute, indirizzi di consegna delle carte in metallo e ciò che il fornitore di pagamenti ci comunica. I numeri di carta non arrivano mai a noi.",
        "I messaggi: quello che scrivi nel modulo di contatto o in una segnalazione, con nome e indirizzo.",
      ],
    },
    {
      title: "Che cosa togliamo prima che altri lo vedano",
      text: [
        "Foto e video contengono spesso il luogo dello scatto e il numero di serie della fotocamera. Tutti, tranne chi ha aggiunto il file e chi gestisce il ricordo, ricevono una copia senza questi dati.",
      ],
    },
    {
      title: "Perché possiamo farlo",
      text: [
        "Trattiamo account, ricordi e ordini per eseguire il contratto con te; registri e limiti di sicurezza per il legittimo interesse a tenere fuori gli estranei; le ricevute perché lo chiede la legge; il conteggio delle visite e la memoria di chi ci ha consigliato solo con il tuo consenso.",
      ],
    },
    {
      title: "Chi può vederlo",
      text: [
        "Un ricordo è visto dalle persone che i suoi gestori fanno entrare: con link, codice QR, PIN, frase segreta, invito o carta incisa. Le regole sono custodite dal database e valgono anche per chi amministra il sito, che non offre alcun modo di aprire un ricordo privato.",
        "Quando un link viene cambiato o chiuso, le pagine e i video aperti con quel link si chiudono entro un secondo.",
      ],
    },
    {
      title: "Dove si trova e come è protetto",
      text: [
        "I dati sono conservati sui server di questo sito e presso le aziende indicate sotto. Viaggiano cifrati. L’accesso richiede una password e, se l’hai impostato, un secondo passaggio. I tentativi di indovinare vengono fermati dopo poche prove.",
        "Se attivi le notifiche su un dispositivo, passano cifrate dal servizio di chi produce il suo browser, che non può leggerle.",
      ],
    },
    {
      title: "Per quanto tempo",
      text: [
        "Quello che aggiungi resta finché non lo elimini, anche quando un piano è finito. Ciò che elimini si può ripristinare per 30 giorni; poi righe e file non esistono più.",
        "Un account viene eliminato subito quando lo chiedi, con tutto il suo contenuto; i file seguono entro un giorno. Ciò che hai aggiunto ai ricordi di altri vi resta senza il tuo nome. Ordini e ricevute restano per il tempo richiesto dalle leggi fiscali, senza i tuoi ricordi. I backup contengono ancora ciò che è stato eliminato finché non vengono rimossi a loro volta, di norma dopo 30 giorni.",
        "I link di scaricamento firmati e i token scadono entro un’ora, come i codici monouso.",
      ],
    },
    {
      title: "I tuoi diritti",
      text: [
        "Puoi vedere, correggere, portare via ed eliminare i tuoi dati: tutto dal tuo profilo, in ogni momento, senza chiedercelo. Puoi opporti, limitare il trattamento, revocare un consenso e fare reclamo all’autorità per la protezione dei dati.",
        "Compari in un’immagine del ricordo di qualcun altro e non vuoi? Aprila e scegli “Quella persona sono io, per favore no”, usa “Segnala” nella pagina del ricordo, o scrivici.",
      ],
    },
    {
      title: "Cookie e questo browser",
      text: [
        "Questo browser conserva ciò che serve al sito per funzionare: l’accesso, la lingua e il tema, le bozze non inviate, il voucher digitato e la tua risposta al banner dei cookie. Nulla è per la pubblicità.",
        "Solo dopo il tuo consenso contiamo le visite, le comunichiamo ai servizi di statistica e pubblicità fra le aziende indicate sotto e ricordiamo per 30 giorni chi ci ha consigliato. Comunichiamo che tipo di pagina è stata aperta, una registrazione, un nuovo ricordo, una condivisione e l’importo di un acquisto; mai di quale ricordo si tratta, un nome, un indirizzo o un link. Puoi cambiare risposta qui sotto e in fondo a ogni pagina.",
      ],
    },
    {
      title: "Minori",
      text: [
        "L’account è per chi ha almeno 16 anni. Le foto dei bambini sono viste solo da chi la loro famiglia fa entrare.",
      ],
    },
    {
      title: "Modifiche",
      text: [
        "Quando questa informativa cambia lo scriviamo qui, con una nuova versione e una nuova data, e per email dove conta.",
      ],
    },
  ],
};
