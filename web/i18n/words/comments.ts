import en from "../en/comments.json";
import it from "../it/comments.json";
import { addWords } from "../resources.ts";

addWords("comments", { en, it });
