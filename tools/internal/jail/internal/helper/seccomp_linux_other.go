//go:build linux && !amd64

package helper

const sysSeccomp = 277 // for arm64; other architectures have no filters
