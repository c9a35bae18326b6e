export function Oops() {
  return <h1>Oops! Something went wrong</h1>;
}
