import en from "../en/home.json";
import it from "../it/home.json";
import { addWords } from "../resources.ts";

addWords("home", { en, it });
