//go:build linux && !amd64

package helper

const sysSeccomp = 277 // of arm64; there are no filters for other machines
