import en from "../en/memories.json";
import it from "../it/memories.json";
import { addWords } from "../resources.ts";

addWords("memories", { en, it });
