export default function X(_: { id?: string }) {
  return <p>later</p>;
}
