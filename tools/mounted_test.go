package tools

import (
	"slices"
	"testing"
)

func TestOtherNamesOfAMountedDirectory(t *testing.T) {
	const mounts = `21 1 8:1 / / rw - ext4 /dev/sda1 rw
22 21 8:2 / /home rw - ext4 /dev/sda2 rw
23 21 8:2 /u/taxes /srv/the\040taxes rw - ext4 /dev/sda2 rw
24 21 8:2 /u/taxes/2025 /mnt/year rw - ext4 /dev/sda2 rw
25 21 8:2 /u /mnt/user rw - ext4 /dev/sda2 rw
26 21 8:2 /u/other /mnt/other rw - ext4 /dev/sda2 rw
27 21 8:1 /u/taxes /mnt/elsewhere rw - ext4 /dev/sda1 rw
`
	if got := otherNames(mounts, "/home/u/taxes"); !slices.Equal(got, []string{"/srv/the taxes", "/mnt/year", "/mnt/user/taxes"}) {
		t.Errorf("%q", got)
	}
	if got := otherNames(mounts, "/srv/x"); got != nil {
		t.Errorf("a directory without any has %q", got)
	}
}
