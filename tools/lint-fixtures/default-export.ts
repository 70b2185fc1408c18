// expects: heddle/no-default-export
const value = 1;
export default value;
