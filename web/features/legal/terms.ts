import type { LegalText } from "./legal-text.ts";

/** The terms and conditions. Every change requires a new version and date. */
export const terms: LegalText = {
  version: "1",
  date: "2026-11-22",
  en: [
    {
      title: "What Skies is",
      text: [
        "Skies is a private place for the photos, videos and stories of people and days. These terms are the contract between you and whoever runs this site. You accept them when you create an account or buy something.",
      ],
    },
    {
      title: "Your account",
      text: [
        "You need an email address or a phone number, and to be at least 16. Keep your password to yourself, and use a second step where it matters. Tell us if somebody else has got in.",
      ],
    },
    {
      title: "What is yours stays yours",
      text: [
        "You keep all rights to what you add. You allow us to store it, to make smaller copies and playable copies of it, and to show it to the people you let in, for nothing else and only as long as you leave it here.",
      ],
    },
    {
      title: "What you may add",
      text: [
        "Add what you have taken or written yourself, or may share. Do not add what is unlawful, what hurts or deceives others, or what invades somebody's privacy. Managers of a memory can hide what others add to it; reported content is looked at, and hidden or removed where it breaks these terms. Accounts that do so again and again are closed.",
      ],
    },
    {
      title: "Sharing",
      text: [
        "You decide who may see a memory. Whoever has a link and its PIN can open it until you change or close it, so give it only to people you trust. What others have downloaded before cannot be taken back.",
      ],
    },
    {
      title: "Plans and prices",
      text: [
        "The free plan holds one memory and 1 GB, without an end. Paid plans hold more, for the time that is shown when you buy them. Prices are shown in pounds or euros with all that is to be paid. A plan does not renew by itself.",
        "When a plan ends nothing is closed or deleted. You can add again once what you have fits the plan that you have then.",
      ],
    },
    {
      title: "Metal cards",
      text: [
        "Cards are engraved for you with the words you check before you order. Because they are made to your order they cannot be returned, unless they are damaged or wrong; then we replace them or give the money back. What a card opens can be changed at any time.",
      ],
    },
    {
      title: "Paying, withdrawing and refunds",
      text: [
        "Payments are made with our payment provider. You can withdraw from a plan within 14 days, and get back what you paid. Write to us with the number of your order. Refunds go to the card or account that was used.",
      ],
    },
    {
      title: "Affiliates",
      text: [
        "Whoever recommends Skies by their own link gets the share of each purchase that is shown on the affiliates page, once the time for withdrawal is over. Misleading advertising and buying for oneself are excluded.",
      ],
    },
    {
      title: "Availability and changes",
      text: [
        "We do all we can to keep Skies available and your data safe, with backups. We may change how it works. Should we ever close it, you get at least 90 days and everything to take with you.",
      ],
    },
    {
      title: "Ending",
      text: [
        "You can delete your account at any time on your profile. Its memories and files are then deleted, and links to them are closed at once. You can download everything before.",
      ],
    },
    {
      title: "Liability",
      text: [
        "We are liable without limit for intent and gross negligence, for injury, and wherever the law does not allow a limit. Otherwise we are liable for damage that is typical and foreseeable, up to what you paid in the last twelve months, or 100 pounds where that is more. Keep copies of what you cannot lose.",
      ],
    },
    {
      title: "The law",
      text: [
        "The law of the country in which whoever runs this site is established applies. Consumers keep the rights that the law of their own country gives them.",
      ],
    },
  ],
  it: [
    {
      title: "Che cos’è Skies",
      text: [
        "Skies è un luogo privato per le foto, i video e le storie di persone e giorni. Questi termini sono il contratto tra te e chi gestisce questo sito. Li accetti quando crei un account o acquisti qualcosa.",
      ],
    },
    {
      title: "Il tuo account",
      text: [
        "Servono un indirizzo email o un numero di telefono e almeno 16 anni. Tieni per te la password e usa un secondo passaggio dove conta. Avvisaci se qualcun altro è entrato.",
      ],
    },
    {
      title: "Ciò che è tuo resta tuo",
      text: [
        "Conservi tutti i diritti su quello che aggiungi. Ci permetti di conservarlo, di farne copie più piccole e riproducibili e di mostrarlo alle persone che fai entrare; per nient’altro e solo finché lo lasci qui.",
      ],
    },
    {
      title: "Che cosa puoi aggiungere",
      text: [
        "Aggiungi ciò che hai fotografato, filmato o scritto tu, o che puoi condividere. Non aggiungere ciò che è illecito, che ferisce o inganna altri o che viola la loro privacy. Chi gestisce un ricordo può nascondere quello che altri vi aggiungono; i contenuti segnalati vengono esaminati e, se violano questi termini, nascosti o rimossi. Gli account che lo fanno ripetutamente vengono chiusi.",
      ],
    },
    {
      title: "Condividere",
      text: [
        "Decidi tu chi può vedere un ricordo. Chi ha un link e il suo PIN può aprirlo finché non lo cambi o lo chiudi: dallo solo a persone di fiducia. Ciò che altri hanno già scaricato non si può riprendere.",
      ],
    },
    {
      title: "Piani e prezzi",
      text: [
        "Il piano gratuito contiene un ricordo e 1 GB, senza scadenza. I piani a pagamento contengono di più, per il tempo indicato all’acquisto. I prezzi sono in sterline o euro e comprendono tutto. Un piano non si rinnova da solo.",
        "Quando un piano finisce niente viene chiuso o eliminato. Potrai aggiungere di nuovo quando ciò che hai rientra nel piano del momento.",
      ],
    },
    {
      title: "Carte in metallo",
      text: [
        "Le carte vengono incise per te con le parole che controlli prima di ordinare. Poiché sono fatte su misura non si possono restituire, salvo che siano danneggiate o sbagliate: in quel caso le sostituiamo o rimborsiamo. Ciò che una targhetta apre si può cambiare in ogni momento.",
      ],
    },
    {
      title: "Pagamenti, recesso e rimborsi",
      text: [
        "I pagamenti passano dal nostro fornitore di pagamenti. Puoi recedere da un piano entro 14 giorni e riavere quanto hai pagato. Scrivici con il numero dell’ordine. I rimborsi tornano alla carta o al conto utilizzato.",
      ],
    },
    {
      title: "Affiliati",
      text: [
        "Chi consiglia Skies con il proprio link riceve la quota di ogni acquisto indicata nella pagina degli affiliati, una volta passato il termine di recesso. Sono esclusi la pubblicità ingannevole e gli acquisti per sé.",
      ],
    },
    {
      title: "Disponibilità e modifiche",
      text: [
        "Facciamo tutto il possibile perché Skies sia disponibile e i tuoi dati al sicuro, con backup. Possiamo cambiarne il funzionamento. Se mai dovessimo chiudere, avrai almeno 90 giorni e tutto il necessario per portare via i tuoi ricordi.",
      ],
    },
    {
      title: "Fine",
      text: [
        "Puoi eliminare il tuo account in ogni momento dal profilo. I suoi ricordi e file vengono eliminati e i link chiusi subito. Prima puoi scaricare tutto.",
      ],
    },
    {
      title: "Responsabilità",
      text: [
        "Rispondiamo senza limiti per dolo e colpa grave, per lesioni alla persona e ovunque la legge non consenta limiti. Negli altri casi rispondiamo del danno tipico e prevedibile, fino a quanto hai pagato negli ultimi dodici mesi o, se maggiore, fino a 100 sterline. Conserva copie di ciò che non puoi perdere.",
      ],
    },
    {
      title: "La legge",
      text: [
        "Si applica la legge del paese in cui ha sede chi gestisce questo sito. I consumatori conservano i diritti che la legge del loro paese riconosce.",
      ],
    },
  ],
};
