/** Raw devices, by the names that systems really give them. */
const DEVICE = new RegExp(
  `^/dev/(?:${[
    'r?disk\\d+(?:s\\d+)*',
    '[shv]d[a-z]{1,3}\\d*',
    'xvd[a-z]{1,2}\\d*',
    'nvme\\d+(?:c\\d+)?(?:n\\d+(?:p\\d+)?)?',
    'ng\\d+n\\d+',
    'mmcblk\\d+(?:p\\d+|boot\\d+|rpmb)?',
    'md(?:\\d+|_d\\d+)(?:p\\d+)?',
    'dm-\\d+',
    '(?:loop|nbd|zd|sr|sg|st|nst|pmem|mtd|mtdblock|ram|zram|bcache|drbd|rbd|ublkb|ada|da|cd|fd|vtbd)\\d+(?:p\\d+|s\\d+[a-h]?|[ro]{2})?',
    'dax\\d+\\.\\d+',
    'k?mem|port|cdrom|dvd',
    '(?:mapper|disk|block|md|zvol|cciss|ida|rd)/.+',
    // Volume groups have a folder each.
    '(?!(?:shm|pts|fd|input|snd|net|bus|char|cpu|dri|hugepages|mqueue|usb|vfio|tcp|udp|serial|v4l|dma_heap|infiniband)/)[\\w.+-]+/[\\w.+-]+',
  ].join('|')})$`,
  'i',
);
const OPEN = /\[!?([^\]]?)[^\]]*\]|[*?]|[\uE000-\uE00F]/g;

/** `path` is absolute; `sd?`, `sd*` and a name that is not known count for the devices they may mean. */
export function isDevice(path: string): boolean {
  if (!path.startsWith('/dev/') || path.length > 256) return false;
  if (/^\/dev\/(?:[*?]|[\uE000-\uE00F])+$/.test(path)) return true;
  return ['a', '0'].some((char) => DEVICE.test(path.replace(OPEN, (_, first?: string) => first || char)));
}
