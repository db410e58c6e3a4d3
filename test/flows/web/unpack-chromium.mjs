// Unpacks the Chromium of the package into the temporary folder. A program of its own, because it reads that folder from its environment.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
