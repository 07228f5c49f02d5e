"""What all tests need."""

import signal

# A shell starts programs in the background with Ctrl-C ignored, and Python leaves it so. The tests of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
