/** Pictures of one pixel with dates by exiftool 12, in base64, because sharp writes neither IPTC nor PNG text. */
export const DATED_PICTURES = {
  "IPTC with a time":
    "/9j/7QBAUGhvdG9zaG9wIDMuMAA4QklNBAQAAAAAACQcAjcACDE5ODcwNTA0HAI8AAsxMDExMTIrMDEwMBwCAAACAAT/2wBDAP//////////////////" +
    "////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////" +
    "////////////////////////////////////////////wAARCAABAAEDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAA" +
    "AAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAABAv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AApf/9k=",
  "IPTC with a year":
    "/9j/7QAwUGhvdG9zaG9wIDMuMAA4QklNBAQAAAAAABQcAjcACDE5NjIwMDAwHAIAAAIABP/bAEMA////////////////////////////////////////" +
    "///////////////////////////////////////////////bAEMB////////////////////////////////////////////////////////////////" +
    "///////////////////////AABEIAAEAAQMBEQACEQEDEQH/xAAUAAEAAAAAAAAAAAAAAAAAAAAB/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEA" +
    "AAAAAAAAAAAAAAAAAAEC/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8ACl//2Q==",
  "PNG text":
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAIXRFWHRDcmVhdGlvbiBUaW1lADE5ODc6MDU6MDQg" +
    "MTA6MTE6MTJbOJ6iAAAADElEQVQImWNgaGgAAAGEAQEDkg2VAAAAAElFTkSuQmCC",
};
