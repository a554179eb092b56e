// SPDX-License-Identifier: Apache-2.0
// How far a campaign is, in words. Pure text: no elements.

/// "40 s", "12 min", "3 h 20 min", "2 d 4 h".
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  const minutes = Math.round(s / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const hasEnded = (tasks) => tasks.done + tasks.failed === tasks.all;

/// "3 of 9 tasks done, 2 running, 1 failed".
export function countsText(tasks) {
  const others = ['running', 'cut short', 'failed'].filter((state) => tasks[state] > 0);
  return [`${tasks.done} of ${tasks.all} tasks done`, ...others.map((state) => `${tasks[state]} ${state}`)].join(', ');
}

/// What is left, `since` seconds after the state came.
export function leftText(state, since) {
  if (!state.tasks) return 'no tasks yet';
  if (hasEnded(state.tasks)) return 'all tasks have ended';
  if (typeof state.seconds_left === 'number') {
    const left = state.seconds_left - since;
    return left > 0 ? `about ${duration(left)} left` : 'longer than estimated';
  }
  if (state.tasks.running === 0) return 'no task is running';
  return 'the time left is known when a task has ended';
}
