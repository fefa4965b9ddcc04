"""`python -m outrider` is the `outrider` command."""

from outrider.entry import main

if __name__ == "__main__":
    main()
