import en from "../en/guests.json";
import it from "../it/guests.json";
import { addWords } from "../resources.ts";

addWords("guests", { en, it });
