export { NotFound as default } from "../layout/NotFound.tsx";
