/** Facts about the device that decide what is in the page, not only how it looks. */
import { signal } from '@preact/signals';

const phone = matchMedia('(max-width: 760px)');
export const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});
