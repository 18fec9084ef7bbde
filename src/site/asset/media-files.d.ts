declare module '*.mp4' {
  const path: string
  export default path
}

declare module '*.webm' {
  const path: string
  export default path
}

declare module '*.webp' {
  const path: string
  export default path
}

declare module '*.png' {
  const path: string
  export default path
}

declare module '*.ico' {
  const path: string
  export default path
}
