/** Returns where an answer differs from another one, with what is around it. */
export function describeDifference(request: string, answer: string, expected: string): string {
  let at = 0;
  while (answer[at] === expected[at]) at++;
  const [found, wanted] = [answer, expected].map((text) => text.slice(Math.max(0, at - 100), at + 200));
  return `${request}\n  ${found}\n  ${wanted}`;
}
